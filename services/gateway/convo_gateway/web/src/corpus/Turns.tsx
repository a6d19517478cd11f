/** What was said, oldest first. Of a long conversation only the turns near what is seen are in the page. */
import { useWindowEvent } from "@mantine/hooks";
import { defaultRangeExtractor, useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Hit, StoredTurn } from "../api";
import { useKey } from "../shell/keys";
import { Turn } from "./Turn";
import { guessedHeight, seenAnd } from "./windowed";

const WHOLE = 80;
const GAP = 10;
const HEADER = 68;
/** What has a beginning and an end of its own. */
const OWN_ENDS = "input, textarea, select, .conversation-parts, [role='dialog'], [role='menu']";
const NONE: Hit[] = [];

interface Props {
  turns: StoredTurn[];
  hits: Hit[];
  /** Number of the turn that the address names, from 0. */
  chosen: number | undefined;
}

export function Turns({ turns, hits, chosen }: Props) {
  const list = useRef<HTMLOListElement>(null);
  const byTurn = useMemo(() => hitsByTurn(hits), [hits]);
  const chosenAt = turns.findIndex(({ number }) => number === chosen);
  const [focused, setFocused] = useState(-1);
  const above = useSpaceAbove(list);
  const isWhole = turns.length <= WHOLE;
  const virtual = useWindowVirtualizer({
    count: turns.length,
    estimateSize: (at) => guessedHeight(turns[at]?.text ?? ""),
    getItemKey: (at) => turns[at]?.number ?? at,
    gap: GAP,
    overscan: isWhole ? WHOLE : 6,
    scrollMargin: above ?? 0,
    scrollPaddingStart: HEADER,
    rangeExtractor: (range) => seenAnd(defaultRangeExtractor(range), [chosenAt, focused]),
  });
  const arrived = useRef(-1);
  useEffect(() => {
    if (above === undefined || chosenAt < 0 || arrived.current === chosenAt) return;
    arrived.current = chosenAt;
    virtual.scrollToIndex(chosenAt, { align: "center" });
  }, [above, chosenAt, virtual]);

  const wanted = useRef(-1);
  useEffect(() => {
    if (wanted.current < 0) return;
    const link = `[data-index="${wanted.current}"] .turn-number`;
    list.current?.querySelector<HTMLElement>(link)?.focus({ preventScroll: true });
    wanted.current = -1;
  });
  const go = (to: number) => {
    wanted.current = to;
    setFocused(to);
    if (to === 0) virtual.scrollToOffset(0);
    else virtual.scrollToIndex(to);
  };
  const walk = (step: 1 | -1) => {
    const first = virtual.range?.startIndex ?? 0;
    const from = focused >= 0 ? focused : chosenAt >= 0 ? chosenAt : first - (step > 0 ? 1 : 0);
    go(Math.max(0, Math.min(turns.length - 1, from + step)));
  };
  useKey("j", "Next turn", () => walk(1));
  useKey("k", "Turn before", () => walk(-1));
  useEnds((last) => go(last ? turns.length - 1 : 0));

  return (
    <div className="turns-box">
      {!isWhole && (
        <p className="turns-note">
          Only the turns near what you see are in the page, so the search of the browser does not
          find the others. The download under JSON has all of them.
        </p>
      )}
      <ol
        ref={list}
        className="turns"
        aria-label="Turns"
        style={{ height: virtual.getTotalSize() }}
        onFocus={({ target }) => setFocused(placeOf(target))}
        onBlur={({ relatedTarget }) => setFocused(placeOf(relatedTarget))}
      >
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const turn = turns[index];
          return (
            turn && (
              <Turn
                key={key}
                turn={turn}
                hits={byTurn.get(turn.number) ?? NONE}
                isChosen={index === chosenAt}
                at={index}
                of={turns.length}
                top={start - (above ?? 0)}
                measure={virtual.measureElement}
              />
            )
          );
        })}
      </ol>
    </div>
  );
}

/** Home and End: the browser's own End goes to where the end was before the last turns were drawn. */
function useEnds(go: (last: boolean) => void): void {
  useWindowEvent("keydown", (event) => {
    const { key, target } = event;
    if (key !== "Home" && key !== "End") return;
    if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target instanceof Element && target.closest(OWN_ENDS)) return;
    event.preventDefault();
    go(key === "End");
  });
}

/** Where the list begins in the document; undefined until it is drawn. */
function useSpaceAbove(list: React.RefObject<HTMLElement | null>): number | undefined {
  const [above, setAbove] = useState<number>();
  useLayoutEffect(() => {
    if (list.current) setAbove(Math.round(list.current.getBoundingClientRect().top + scrollY));
  });
  return above;
}

/** Place of the turn that an element is in; -1 outside of all. */
function placeOf(element: EventTarget | null): number {
  const item = element instanceof Element ? element.closest<HTMLElement>(".turn") : null;
  return Number(item?.dataset.index ?? -1);
}

function hitsByTurn(hits: Hit[]): Map<number, Hit[]> {
  const found = new Map<number, Hit[]>();
  for (const hit of hits) {
    if (typeof hit.turn === "number") found.set(hit.turn, [...(found.get(hit.turn) ?? []), hit]);
  }
  return found;
}
