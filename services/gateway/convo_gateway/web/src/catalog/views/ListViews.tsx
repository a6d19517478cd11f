/** How a pool and a filter list read. */
import type { FilterList, Pool } from "../../api";
import { plural } from "../../format";
import { Section } from "../../parts/Section";
import { poolVariable } from "../template";
import { Facts } from "./facts";
import { LongList } from "./LongList";

export function PoolView({ of }: { of: Pool }) {
  return (
    <Section title={plural(of.values.length, "value")}>
      <p className="minor">
        In prompts as <code>{`{{ ${poolVariable(of.name)} }}`}</code>
      </p>
      <LongList label="Values" values={of.values} />
    </Section>
  );
}

export function FilterListView({ of }: { of: FilterList }) {
  const { phrases = [], patterns = [], speaker = "assistant" } = of;
  return (
    <>
      <Section title="What it is for">
        <Facts
          facts={[
            ["Description", of.description ?? ""],
            ["Searched in", speaker === "any" ? "turns of both" : `turns of the ${speaker}`],
          ]}
        />
      </Section>
      {phrases.length > 0 && (
        <Section title={plural(phrases.length, "phrase")}>
          <LongList label="Phrases" values={phrases} />
        </Section>
      )}
      {patterns.length > 0 && (
        <Section title={plural(patterns.length, "pattern")}>
          <LongList label="Patterns" values={patterns} code />
        </Section>
      )}
    </>
  );
}
