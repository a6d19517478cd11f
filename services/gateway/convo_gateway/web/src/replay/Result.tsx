import { Text } from "@mantine/core";
import { Info } from "lucide-react";
import type { ReplayResult, StatusCounts } from "../api";
import { count, plural } from "../format";
import { Section } from "../parts/Section";
import { TableBox } from "../parts/TableBox";
import { VerdictBar } from "../parts/VerdictBar";
import { LAYERS } from "../run/layers";

export const STATUSES = ["accepted", "rejected", "failed", "unjudged"] as const;
export const STATUS_WORDS: Record<string, string> = {
  accepted: "accepted",
  rejected: "rejected",
  failed: "failed",
  unjudged: "would be judged",
};

/** What the verdicts are in the record and would be, with the number of conversations that both are of. */
export function Result({ result, notes }: { result: ReplayResult; notes: string[] }) {
  const { population, before, after, flipped } = result;
  return (
    <Section
      title="Before and after"
      beside={
        <Text size="sm">
          {flipped === 0
            ? `None of ${plural(population.value, "conversation")} flips`
            : `${count(flipped)} of ${plural(population.value, "conversation")} flip`}
        </Text>
      }
    >
      <Bar name="In the run's record" counts={before} whole={population.value} />
      <Bar name="With these settings" counts={after} whole={population.value} />
      <Statuses result={result} />
      <Reasons result={result} />
      {after.unjudged > 0 && (
        <Text size="sm" mt="xs">
          {plural(after.unjudged, "conversation")} would pass the filters, and the judge was not
          asked, or not for every sample that would now count. Nobody knows the score, so this is
          not counted as accepted.
        </Text>
      )}
      {notes.map((note) => (
        <Text key={note} size="sm" mt="xs" className="replay-note">
          <Info size={15} aria-hidden /> {note}
        </Text>
      ))}
    </Section>
  );
}

function Bar(props: { name: string; counts: StatusCounts; whole: number }) {
  const { name, counts, whole } = props;
  const { accepted = 0, rejected = 0, failed = 0 } = counts;
  return (
    <div className="replay-bar-row">
      <Text size="sm">{name}</Text>
      <VerdictBar of={{ target: whole, accepted, rejected, failed }} />
    </div>
  );
}

function Statuses({ result: { before, after } }: { result: ReplayResult }) {
  const rows = STATUSES.filter((name) => (before[name] ?? 0) + (after[name] ?? 0) > 0);
  return (
    <TableBox label="Conversations by status">
      <table className="plain-table replay-table">
        <thead>
          <tr>
            <th scope="col">Status</th>
            <Numbers />
          </tr>
        </thead>
        <tbody>
          {rows.map((name) => (
            <tr key={name}>
              <th scope="row">{STATUS_WORDS[name]}</th>
              <Counts before={before[name] ?? 0} after={after[name] ?? 0} />
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}

function Reasons({ result: { reasons } }: { result: ReplayResult }) {
  const rows = reasons.filter(({ before, after }) => before + after > 0);
  if (rows.length === 0) return null;
  return (
    <TableBox label="Conversations by reason">
      <table className="plain-table replay-table">
        <thead>
          <tr>
            <th scope="col">Reason</th>
            <Numbers />
          </tr>
        </thead>
        <tbody>
          {rows.map(({ reason, layer, before, after }) => (
            <tr key={`${layer} ${reason}`} data-same={before === after || undefined}>
              <th scope="row">
                <code>{reason}</code>{" "}
                <span className="minor">
                  {layer} {LAYERS[layer]}
                </span>
              </th>
              <Counts before={before} after={after} />
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}

function Numbers() {
  return (
    <>
      <th scope="col">Record</th>
      <th scope="col">Now</th>
      <th scope="col">Change</th>
    </>
  );
}

function Counts({ before, after }: { before: number; after: number }) {
  const change = after - before;
  const sign = change > 0 ? "+" : "−";
  return (
    <>
      <td>{count(before)}</td>
      <td>{count(after)}</td>
      <td>{change === 0 ? "same" : `${sign}${count(Math.abs(change))}`}</td>
    </>
  );
}
