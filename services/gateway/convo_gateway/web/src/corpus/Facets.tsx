/** What the corpus is narrowed to: every field with its values and how many conversations each would leave. */
import { useState } from "react";
import type { Facets as Counted, Facet, FacetValue } from "../api";
import { Plain } from "../parts/Plain";
import { atLeast, NAMES, wordOf } from "./facetWords";
import { RangeField } from "./RangeField";
import { type CorpusSearch, LISTS, type ListName, RANGES } from "./search";

const FEW = 7;
const OPEN: ReadonlySet<string> = new Set(["status", "reason"]);

interface Props {
  search: CorpusSearch;
  counted: Counted | undefined;
  onChange: (part: CorpusSearch, replace?: boolean) => void;
}

export function Facets({ search, counted, onChange }: Props) {
  const byName = new Map(counted?.facets.map((facet) => [facet.name, facet]));
  const toggle = (name: ListName, value: string) => {
    const before: string[] = search[name] ?? [];
    const after = before.includes(value) ? before.filter((v) => v !== value) : [...before, value];
    onChange({ [name]: after.length > 0 ? after : undefined });
  };
  return (
    <>
      {LISTS.map((name) => (
        <OneFacet
          key={name}
          name={name}
          facet={byName.get(name)}
          chosen={search[name] ?? []}
          onToggle={(value) => toggle(name, value)}
        />
      ))}
      <OneFacet
        name="edited"
        facet={byName.get("edited")}
        chosen={search.edited ? [search.edited === "yes" ? "true" : "false"] : []}
        onToggle={(value) => {
          const edited = value === "true" ? "yes" : "no";
          onChange({ edited: search.edited === edited ? undefined : edited });
        }}
      />
      {RANGES.map((name) => (
        <RangeField
          key={name}
          name={name}
          text={search[name]}
          onChange={(range) => onChange({ [name]: range }, true)}
        />
      ))}
    </>
  );
}

function OneFacet(props: {
  name: ListName | "edited";
  facet: Facet | undefined;
  chosen: readonly string[];
  onToggle: (value: string) => void;
}) {
  const { name, facet, chosen, onToggle } = props;
  const [all, setAll] = useState(false);
  const values = facet?.values ?? [];
  const shown = all ? values : values.filter((v, at) => at < FEW || chosen.includes(v.value));
  return (
    <details className="facet" open={OPEN.has(name) || chosen.length > 0 || undefined}>
      <summary>
        {NAMES[name]}
        {chosen.length > 0 && <span className="facet-chosen">{chosen.length} chosen</span>}
      </summary>
      <fieldset>
        <legend>{NAMES[name]}</legend>
        {values.length === 0 && <p className="facet-none">nothing to choose</p>}
        {shown.map((value) => (
          <Choice
            key={value.value}
            name={name}
            value={value}
            exact={facet?.exact ?? true}
            on={chosen.includes(value.value)}
            onToggle={onToggle}
          />
        ))}
        {shown.length < values.length && (
          <button type="button" className="facet-more" onClick={() => setAll(true)}>
            All {values.length}
            {facet && facet.left_out > 0 && ` most frequent of ${values.length + facet.left_out}`}
          </button>
        )}
      </fieldset>
    </details>
  );
}

function Choice(props: {
  name: ListName | "edited";
  value: FacetValue;
  exact: boolean;
  on: boolean;
  onToggle: (value: string) => void;
}) {
  const { name, value, exact, on, onToggle } = props;
  return (
    <label className="facet-choice" title={value.value}>
      <input type="checkbox" checked={on} onChange={() => onToggle(value.value)} />
      <span className="facet-value">
        <Plain text={wordOf(name, value.value, value.label)} />
      </span>{" "}
      <span className="facet-count">{value.n === null ? "" : atLeast(value.n, exact)}</span>
    </label>
  );
}
