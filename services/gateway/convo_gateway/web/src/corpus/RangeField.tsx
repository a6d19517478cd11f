/** The two ends of a range of numbers, told a moment after the last key. */
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import { NAMES } from "./facetWords";
import { rangeOf, readRange } from "./ranges";
import type { RangeName } from "./search";

const TYPING_MS = 250;
const HINTS: Record<RangeName, string> = {
  turns: "Known from the verdict on",
  score: "Of the judge",
  cost: "Known cost in US dollars",
};

interface Props {
  name: RangeName;
  text: string | undefined;
  onChange: (range: string | undefined) => void;
}

export function RangeField({ name, text, onChange }: Props) {
  const [typed, setTyped] = useState(() => endsOf(text));
  const told = useRef(text);
  const tell = useDebouncedCallback(([from, to]: [string, string]) => {
    const kind = { whole: name === "turns", negative: name === "score" };
    const range = readRange(`${from.trim()}..${to.trim()}`, kind);
    told.current = range;
    onChange(range);
  }, TYPING_MS);
  useEffect(() => {
    if (text !== told.current) setTyped(endsOf(text));
    told.current = text;
  }, [text]);
  const type = (ends: [string, string]) => {
    setTyped(ends);
    tell(ends);
  };
  const field = (at: 0 | 1, label: string) => (
    <input
      type="text"
      inputMode="decimal"
      aria-label={`${NAMES[name]}, ${label}`}
      placeholder={label}
      value={typed[at]}
      onChange={({ currentTarget: { value } }) =>
        type(at === 0 ? [value, typed[1]] : [typed[0], value])
      }
    />
  );
  return (
    <fieldset className="facet facet-range">
      <legend>{NAMES[name]}</legend>
      <span className="range-ends">
        {field(0, "at least")}
        {field(1, "at most")}
      </span>
      <span className="facet-none">{HINTS[name]}</span>
    </fieldset>
  );
}

function endsOf(text: string | undefined): [string, string] {
  const { from, to } = rangeOf(text);
  return [String(from ?? ""), String(to ?? "")];
}
