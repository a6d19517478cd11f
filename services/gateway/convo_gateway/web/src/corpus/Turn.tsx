import { Button, Paper } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Bot, Flag, User } from "lucide-react";
import { memo, useState } from "react";
import type { Hit, StoredTurn } from "../api";
import { count } from "../format";
import { Plain } from "../parts/Plain";
import { marked, type Segment } from "./marks";
import { RoughMark } from "./RawText";

const LONG = 20_000;

interface Props {
  turn: StoredTurn;
  /** What was found in it. */
  hits: Hit[];
  /** Whether the address names it. */
  isChosen: boolean;
  /** Place among the turns, from 0, and how many there are. */
  at: number;
  of: number;
  /** Pixels from the top of the list. */
  top: number;
  /** Is given the element, to learn how high it is. */
  measure: (element: Element | null) => void;
}

/** What one side said, with the words that fired a reason marked. */
export const Turn = memo(function Turn(props: Props) {
  const { turn, hits, isChosen, at: place, of, top, measure } = props;
  const { number, role, text, finish } = turn;
  const [whole, setWhole] = useState(hits.length > 0);
  const shown = whole ? text : text.slice(0, LONG);
  const Icon = role === "user" ? User : Bot;
  return (
    <Paper
      component="li"
      ref={measure}
      withBorder
      p="sm"
      className="turn"
      id={`turn-${number}`}
      data-role={role}
      data-chosen={isChosen || undefined}
      data-index={place}
      aria-setsize={of}
      aria-posinset={place + 1}
      style={{ transform: `translateY(${top}px)` }}
    >
      <div className="turn-head">
        <span className="turn-role">
          <Icon size={15} aria-hidden />
          {role}
        </span>
        <Link
          to="."
          search={(before) => ({ ...before, turn: undefined })}
          hash={`turn-${number}`}
          className="turn-number"
          aria-label={`Turn ${number + 1}, link to it`}
        >
          {number + 1}
        </Link>
        <RoughMark turn={turn} />
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
