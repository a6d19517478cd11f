import { Text } from "@mantine/core";
import { memo } from "react";
import type { Comparisons as Of } from "../api";
import { comparedShare, outcomes } from "../corpus/judging";
import { count } from "../format";
import { Section } from "../parts/Section";

/** What comparing conversations with the example came to; answers that change with the order are counted apart. */
export const Comparisons = memo(function Comparisons({ of }: { of: Of }) {
  return (
    <Section title="Comparison">
      <Text size="sm" c="dimmed">
        with the example {of.example}, in both orders:{" "}
        {of.compared === 0 ? "none compared yet" : `of ${count(of.compared)} compared`}
      </Text>
      {of.compared > 0 && (
        <dl className="facts">
          {outcomes(of).map(([name, number]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{comparedShare(number, of)}</dd>
            </div>
          ))}
        </dl>
      )}
    </Section>
  );
});
