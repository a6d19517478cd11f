import { useElementSize, useMediaQuery, useMergedRef } from "@mantine/hooks";
import { WandSparkles } from "lucide-react";
import { type CSSProperties, type KeyboardEvent, memo, useEffect, useRef, useState } from "react";
import type { PlannedConversation } from "../api";
import { count } from "../format";
import { Plain } from "../parts/Plain";
import { useKey } from "../shell/keys";
import { boxHeight, inSight, type Place, placeAt, scrolled, topFor } from "./tallScroll";
import { type PlanOf, useConversations } from "./usePlan";

interface Props {
  plan: PlanOf;
  /** Conversations of the plan. */
  total: number;
  sessions: boolean;
  /** The row to begin at. */
  at: number;
  onAt: (at: number) => void;
  /** The conversation whose prompts are shown. */
  opened: number | undefined;
  onOpen: (index: number) => void;
}

const ROW = 40;
const NARROW_ROW = 76;
const HEADER = 38;
const NARROW = "(max-width: 48em)";
const IDLE_MS = 160;

/** Every conversation of a plan, of which only those in sight are asked for and drawn. */
export function PlanGrid({ plan, total, sessions, at, onAt, opened, onOpen }: Props) {
  const narrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const row = narrow ? NARROW_ROW : ROW;
  const header = narrow ? 0 : HEADER;
  const { ref: sized, height } = useElementSize<HTMLDivElement>();
  const box = useRef<HTMLDivElement>(null);
  const both = useMergedRef(sized, box);
  const tall = { whole: total * row, view: Math.max(row, height - header) };
  const [place, setPlace] = useState<Place>(() => ({ top: at * row, scroll: 0 }));
  const [active, setActive] = useState(at);
  const sight = inSight(place.top, tall.view, row, total);
  const { found, alike } = useConversations(plan, sight);
  const told = useRef<number>(undefined);

  const go = (top: number) => {
    const next = placeAt(tall, top);
    setPlace(next);
    if (box.current) box.current.scrollTop = next.scroll;
  };
  const latest = useRef(go);
  latest.current = go;
  const ready = height > 0;
  const seen = useRef({ ...tall, top: place.top });
  seen.current = { ...tall, top: place.top };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another number in the address, or rows of another height
  useEffect(() => {
    if (!ready || (at === told.current && at === sight[0])) return;
    told.current = at;
    setActive(Math.min(at, total - 1));
    latest.current(at * row);
  }, [at, ready, row, total]);
  useEffect(() => {
    if (opened === undefined || !ready) return;
    setActive(opened);
    latest.current(topFor(opened, row, seen.current));
  }, [opened, ready, row]);
  const was = useRef(opened);
  useEffect(() => {
    // Who came by a link has never been in the grid; closed prompts leave them where they were shown.
    if (was.current !== undefined && opened === undefined)
      box.current?.focus({ preventScroll: true });
    was.current = opened;
  }, [opened]);
  useIdle(place, () => {
    // The thumb goes back to where it belongs, and the address follows the rows.
    const next = placeAt(tall, place.top);
    if (box.current && next.scroll !== place.scroll) {
      setPlace(next);
      box.current.scrollTop = next.scroll;
    }
    if (ready && sight[0] !== told.current) {
      told.current = sight[0];
      onAt(sight[0]);
    }
  });

  const walk = (to: number) => {
    const next = Math.max(0, Math.min(total - 1, to));
    setActive(next);
    go(topFor(next, row, { ...tall, top: place.top }));
    box.current?.focus({ preventScroll: true });
  };
  useKey("j", "Next conversation", () => walk(active + 1));
  useKey("k", "Conversation before", () => walk(active - 1));
  useKey("o", "Show the prompts of the conversation", () => onOpen(active));
  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(tall.view / row) - 1);
    const steps: Record<string, number> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: total - 1,
    };
    const to = steps[event.key];
    if (to !== undefined) walk(to);
    else if (event.key === "Enter") onOpen(active);
    else return;
    event.preventDefault();
  };

  const drawn: number[] = [];
  for (let n = Math.max(0, sight[0] - 3); n <= Math.min(total - 1, sight[1] + 3); n++)
    drawn.push(n);
  if (!drawn.includes(active) && active < total) drawn.push(active);
  return (
    <div
      ref={both}
      className="grid plan-grid"
      role="grid"
      aria-label="Conversations of the plan"
      aria-rowcount={total + 1}
      aria-colcount={COLUMNS.length}
      aria-activedescendant={`plan-${active}`}
      tabIndex={0}
      data-sessions={sessions || undefined}
      onKeyDown={onKeyDown}
      onScroll={({ currentTarget: { scrollTop } }) => {
        if (Math.abs(scrollTop - place.scroll) < 1) return;
        const next = scrolled(tall, place, scrollTop);
        setPlace(next);
        if (box.current && next.scroll !== scrollTop) box.current.scrollTop = next.scroll;
      }}
      style={{ "--content": `${boxHeight(tall.whole) + header + 2}px` } as CSSProperties}
    >
      <div role="row" aria-rowindex={1} className="grid-header">
        {COLUMNS.map(([id, name]) => (
          <div key={id} role="columnheader" className="grid-cell" data-column={id}>
            {name}
          </div>
        ))}
      </div>
      <div role="rowgroup" className="grid-body" style={{ height: boxHeight(tall.whole) }}>
        {drawn.map((index) => (
          <PlanRow
            key={index}
            index={index}
            planned={found.get(index)}
            top={index * row - place.top + place.scroll}
            active={index === active}
            alike={alike.has(index)}
            onOpen={onOpen}
          />
        ))}
      </div>
    </div>
  );
}

/** Calls `then` once the place has not changed for a moment. */
function useIdle(place: Place, then: () => void): void {
  const latest = useRef(then);
  latest.current = then;
  // biome-ignore lint/correctness/useExhaustiveDependencies: every other place begins the moment anew
  useEffect(() => {
    const timer = setTimeout(() => latest.current(), IDLE_MS);
    return () => clearTimeout(timer);
  }, [place]);
}

const COLUMNS: [string, string][] = [
  ["index", "Number"],
  ["thread", "Thread"],
  ["persona", "Persona"],
  ["voice", "Voice"],
  ["turns", "Turns"],
  ["marks", "Marks"],
  ["pools", "Pools"],
  ["seed", "Seed"],
];

interface RowProps {
  index: number;
  planned: PlannedConversation | undefined;
  top: number;
  active: boolean;
  alike: boolean;
  onOpen: (index: number) => void;
}

const PlanRow = memo(function PlanRow({ index, planned, top, active, alike, onOpen }: RowProps) {
  return (
    <div
      id={`plan-${index}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={active}
      aria-busy={planned === undefined}
      className="grid-row"
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => !getSelection()?.toString() && onOpen(index)}
    >
      {COLUMNS.map(([id]) => (
        <div key={id} role="gridcell" className="grid-cell" data-column={id}>
          {id === "index" ? count(index) : planned && cell(id, planned, alike)}
        </div>
      ))}
    </div>
  );
});

function cell(column: string, planned: PlannedConversation, alike: boolean) {
  switch (column) {
    case "thread":
      return planned.visit > 1
        ? `${count(planned.thread)}, visit ${planned.visit}`
        : count(planned.thread);
    case "persona":
      return <Plain text={planned.persona} />;
    case "voice":
      return <Plain text={planned.voice} />;
    case "turns":
      return (
        <>
          {planned.turns}
          <span className="narrow-only"> turns</span>
        </>
      );
    case "marks":
      return <Marks roughen={planned.roughen} alike={alike} />;
    case "pools":
      return <Plain text={Object.values(planned.pools).join(" · ")} />;
    default:
      return planned.seed;
  }
}

function Marks({ roughen, alike }: { roughen: boolean; alike: boolean }) {
  return (
    <>
      {roughen && (
        <span className="status" data-tone="busy">
          <WandSparkles size={13} aria-hidden />
          roughened
        </span>
      )}
      {alike && (
        <span className="status" data-tone="warn">
          same draw
        </span>
      )}
    </>
  );
}
