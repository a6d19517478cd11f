import { getRouteApi, Link } from "@tanstack/react-router";
import { Bot, User } from "lucide-react";
import { type ReactNode, useId } from "react";
import type { Alike, ComparedTurn } from "../api";
import { count } from "../format";
import { Plain } from "../parts/Plain";
import { numbered, PAGE, type Part, partsOf, type Side } from "./alike";

const route = getRouteApi("/corpus/$conversation/alike");
const OTHER = { mine: "theirs", theirs: "mine" } as const;

interface Props {
  of: Alike;
  side: Side;
  title: string;
  name: ReactNode;
}

/** One of the two: its turns, with the words that the other one has too. */
export function AlikeSide({ of, side, title, name }: Props) {
  const id = useId();
  const { turns, of: all } = of[side];
  return (
    <section aria-labelledby={id} className="alike-side" data-side={side}>
      <h2 id={id}>{title}</h2>
      <p className="alike-name">{name}</p>
      {all === 0 && <p>It is not in this database, so its words cannot be shown.</p>}
      <ol className="alike-turns" start={(turns[0]?.number ?? 0) + 1}>
        {turns.map((turn) => (
          <Turn key={turn.number} of={of} side={side} turn={turn} />
        ))}
      </ol>
      {all > turns.length && <Pages side={side} first={turns[0]?.number ?? 0} all={all} />}
    </section>
  );
}

function Turn({ of, side, turn }: { of: Alike; side: Side; turn: ComparedTurn }) {
  const Icon = turn.role === "user" ? User : Bot;
  const conversation =
    side === "mine" ? of.conversation : of.kind === "conversation" ? of.neighbour : undefined;
  return (
    <li className="alike-turn" data-role={turn.role}>
      <div className="alike-head">
        <Icon size={15} aria-hidden />
        {turn.role}{" "}
        {conversation === undefined ? (
          turn.number + 1
        ) : (
          <Link
            to="/corpus/$conversation"
            params={{ conversation }}
            search={{ turn: String(turn.number) }}
            aria-label={`Turn ${turn.number + 1} in its conversation`}
          >
            {turn.number + 1}
          </Link>
        )}
      </div>
      <div className="alike-text" dir="auto">
        {partsOf(turn, of.overlaps, side).map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
          <Words key={at} part={part} side={side} />
        ))}
        {turn.text === "" && <em>empty</em>}
        {turn.cut && <em className="alike-cut"> The turn goes on.</em>}
      </div>
    </li>
  );
}

function Words({ part: { text, passages, opens, isTemplate }, side }: { part: Part; side: Side }) {
  const passage = passages[0];
  const words = isTemplate ? (
    <span className="alike-template" title="the prompt's own words">
      <Plain text={text} />
    </span>
  ) : (
    <Plain text={text} />
  );
  if (passage === undefined) return words;
  return (
    <mark title={`passage ${passages.join(", ")}, in both`} data-passages={passages.join(" ")}>
      {opens && (
        <button
          type="button"
          className="alike-number"
          aria-label={`Passage ${passage}: go to it in the other one`}
          onClick={() => goTo(OTHER[side], passage)}
        >
          {passage}
        </button>
      )}
      {words}
    </mark>
  );
}

function Pages({ side, first, all }: { side: Side; first: number; all: number }) {
  const search = route.useSearch();
  const { conversation } = route.useParams();
  const to = (turn: number) => ({ ...search, [side]: numbered(Math.max(0, turn)) });
  const params = { conversation };
  return (
    <p className="alike-pages">
      <span>
        Turns {count(first + 1)} to {count(Math.min(first + PAGE, all))} of {count(all)}
      </span>
      {first > 0 && (
        <Link to="/corpus/$conversation/alike" params={params} search={to(first - PAGE)}>
          Earlier turns
        </Link>
      )}
      {first + PAGE < all && (
        <Link to="/corpus/$conversation/alike" params={params} search={to(first + PAGE)}>
          Later turns
        </Link>
      )}
    </p>
  );
}

/** Shows where a passage begins on one side and puts the keyboard there; false where it is not on the page. */
export function goTo(side: Side, passage: number): boolean {
  const found = document.querySelector<HTMLElement>(
    `[data-side="${side}"] mark[data-passages~="${passage}"] .alike-number`,
  );
  found?.focus({ preventScroll: true });
  found?.scrollIntoView({ block: "center" });
  return found !== null;
}
