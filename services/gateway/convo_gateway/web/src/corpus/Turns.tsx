import { Button, Paper } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Bot, Flag, User } from "lucide-react";
import { memo, useEffect, useMemo, useRef, useState } from "react";
import type { Hit, StoredTurn } from "../api";
import { count } from "../format";
import { Plain } from "../parts/Plain";
import { marked, type Segment } from "./marks";

const LONG = 20_000;

interface Props {
  turns: StoredTurn[];
  hits: Hit[];
  /** Number of the turn that the address names, from 0. */
  chosen: number | undefined;
}

/** What was said, oldest first, with the words that fired a reason marked. */
export function Turns({ turns, hits, chosen }: Props) {
  const byTurn = useMemo(() => {
    const found = new Map<number, Hit[]>();
    for (const hit of hits) {
      if (typeof hit.turn === "number") found.set(hit.turn, [...(found.get(hit.turn) ?? []), hit]);
    }
    return found;
  }, [hits]);
  return (
    <ol className="turns" aria-label="Turns">
      {turns.map((turn) => (
        <OneTurn
          key={turn.number}
          turn={turn}
          hits={byTurn.get(turn.number) ?? NONE}
          isChosen={turn.number === chosen}
        />
      ))}
    </ol>
  );
}

const NONE: Hit[] = [];

const OneTurn = memo(function OneTurn(props: { turn: StoredTurn; hits: Hit[]; isChosen: boolean }) {
  const { turn, hits, isChosen } = props;
  const { number, role, text, finish } = turn;
  const item = useRef<HTMLLIElement>(null);
  const [whole, setWhole] = useState(hits.length > 0);
  useEffect(() => {
    if (isChosen) item.current?.scrollIntoView({ block: "center" });
  }, [isChosen]);
  const shown = whole ? text : text.slice(0, LONG);
  const Icon = role === "user" ? User : Bot;
  return (
    <Paper
      component="li"
      ref={item}
      withBorder
      p="sm"
      className="turn"
      id={`turn-${number}`}
      data-role={role}
      data-chosen={isChosen || undefined}
    >
      <div className="turn-head">
        <span className="turn-role">
          <Icon size={15} aria-hidden />
          {role}
        </span>
        <Link
          to="."
          search={(before) => ({ ...before, turn: String(number) })}
          className="turn-number"
          aria-label={`Turn ${number + 1}, link to it`}
        >
          {number + 1}
        </Link>
        {finish !== "stop" && <span className="warn">ended by {finish}</span>}
        {[...new Set(hits.map(({ reason }) => reason))].map((reason) => (
          <span key={reason} className="turn-reason">
            <Flag size={12} aria-hidden />
            {reason}
          </span>
        ))}
      </div>
      <div className="turn-text" dir="auto">
        {marked(shown, hits).map((segment, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the segments of a text have no other name
          <Marked key={at} segment={segment} />
        ))}
        {text === "" && <em>empty</em>}
      </div>
      {shown.length < text.length && (
        <Button mt="xs" size="xs" variant="default" onClick={() => setWhole(true)}>
          Show all {count(text.length)} characters
        </Button>
      )}
    </Paper>
  );
});

function Marked({ segment: { text, reasons } }: { segment: Segment }) {
  if (reasons.length === 0) return <Plain text={text} />;
  return (
    <mark title={reasons.join(", ")}>
      <Plain text={text} />
    </mark>
  );
}
