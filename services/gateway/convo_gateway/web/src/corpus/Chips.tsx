/** Every filter that applies, each with a way to take it away. */
import { Button } from "@mantine/core";
import { X } from "lucide-react";
import type { Facets } from "../api";
import { NAMES, rangeWords, wordOf } from "./facetWords";
import { type CorpusSearch, isFiltered, LISTS, NO_FILTER, RANGES } from "./search";

interface Props {
  search: CorpusSearch;
  counted: Facets | undefined;
  onChange: (part: CorpusSearch) => void;
}

export function Chips({ search, counted, onChange }: Props) {
  if (!isFiltered(search)) return null;
  const runs = counted?.facets.find(({ name }) => name === "run")?.values;
  const labels = new Map(runs?.map(({ value, label }) => [value, label]));
  return (
    <ul className="filter-chips" aria-label="Filters that apply">
      {search.q && (
        <Chip what={`${NAMES.q}: ${search.q}`} onRemove={() => onChange({ q: undefined })} />
      )}
      {LISTS.flatMap((name) =>
        (search[name] ?? []).map((value) => (
          <Chip
            key={`${name} ${value}`}
            what={`${NAMES[name]}: ${wordOf(name, value, name === "run" ? labels.get(value) : "")}`}
            onRemove={() => {
              const others = (search[name] as string[]).filter((other) => other !== value);
              onChange({ [name]: others.length > 0 ? others : undefined });
            }}
          />
        )),
      )}
      {search.edited && (
        <Chip
          what={`${NAMES.edited}: ${wordOf("edited", search.edited)}`}
          onRemove={() => onChange({ edited: undefined })}
        />
      )}
      {RANGES.map((name) => {
        const text = search[name];
        return (
          text && (
            <Chip
              key={name}
              what={`${NAMES[name]}: ${rangeWords(name, text)}`}
              onRemove={() => onChange({ [name]: undefined })}
            />
          )
        );
      })}
      <li>
        <Button variant="subtle" size="compact-sm" onClick={() => onChange(NO_FILTER)}>
          Clear filters
        </Button>
      </li>
    </ul>
  );
}

function Chip({ what, onRemove }: { what: string; onRemove: () => void }) {
  return (
    <li>
      <Button
        size="compact-sm"
        variant="default"
        className="filter-chip"
        rightSection={<X size={14} aria-hidden />}
        aria-label={`Do not filter by ${what}`}
        onClick={onRemove}
      >
        {what}
      </Button>
    </li>
  );
}
