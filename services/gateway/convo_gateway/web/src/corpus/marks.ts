/** Which words of a turn fired which reason. Pure. */
import type { Hit } from "../api";

/** Characters of a text, counted as Python does and not in UTF-16 units; `end` is one past the last. */
export interface Span {
  start: number;
  end: number;
}

export interface Segment {
  text: string;
  /** Reasons that the words fired, in precedence order; empty for plain text. */
  reasons: string[];
}

/** The recorded hit and the others, in precedence order. */
export function allHits(hit: Hit | null | undefined, also: Hit[]): Hit[] {
  return [...(hit ? [hit] : []), ...also].sort(
    (a, b) => a.layer - b.layer || a.precedence - b.precedence,
  );
}

/** A turn's text cut where hits begin and end. */
export function marked(text: string, hits: Hit[]): Segment[] {
  const spans = hits.flatMap(({ reason, start, end }) =>
    typeof start === "number" && typeof end === "number" && end > start
      ? [{ reason, start, end }]
      : [],
  );
  return cut(text, spans).map(({ text: part, inside }) => ({
    text: part,
    reasons: [...new Set(inside.map(({ reason }) => reason))],
  }));
}

/** A text cut where spans begin and end, each piece with the spans that it is inside of; nothing of an empty text. */
export function cut<S extends Span>(text: string, spans: S[]): { text: string; inside: S[] }[] {
  if (spans.length === 0) return text === "" ? [] : [{ text, inside: [] }];
  const places = unitsOf(
    text,
    spans.flatMap(({ start, end }) => [start, end]),
  );
  const cuts = [...new Set([0, ...places.values(), text.length])].sort((a, b) => a - b);
  return cuts.slice(0, -1).map((from, at) => {
    const to = cuts[at + 1] ?? text.length;
    const inside = spans.filter(
      ({ start, end }) => (places.get(start) ?? 0) <= from && to <= (places.get(end) ?? 0),
    );
    return { text: text.slice(from, to), inside };
  });
}

/** Places in characters to places in UTF-16 units; what is beyond the end is the end. */
function unitsOf(text: string, places: number[]): Map<number, number> {
  const wanted = [...new Set(places)].sort((a, b) => a - b);
  const found = new Map<number, number>();
  let units = 0;
  let characters = 0;
  for (const place of wanted) {
    while (characters < place && units < text.length) {
      units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
      characters += 1;
    }
    found.set(place, units);
  }
  return found;
}
