import { Alert, List, Text, Title } from "@mantine/core";
import type { Estimate, EstimateAnswer, Range } from "../api";
import { count, money, percent, plural } from "../format";
import { Failed, Loading } from "../parts/states";

interface Props {
  /** The estimate as it was last known. */
  last: EstimateAnswer | undefined;
  /** Whether a newer one is on its way. */
  behind: boolean;
  error: Error | null;
  /** What a run of the mode pays for. */
  parts: readonly ("generation" | "judge" | "memory" | "roughen")[];
}

/** What the run would cost and bring, before a call is made. */
export function EstimateBlock({ last, behind, error, parts }: Props) {
  return (
    <section aria-label="Estimate" aria-live="polite" aria-busy={behind} className="estimate">
      {error && !behind && <Failed error={error} what="Estimate" />}
      {last === undefined && !error && <Loading what="the estimate" />}
      {last && !(error && !behind) && <Numbers answer={last} parts={parts} />}
    </section>
  );
}

function Numbers({ answer, parts }: { answer: EstimateAnswer; parts: Props["parts"] }) {
  const { estimate, warnings } = answer;
  const { total, accepted, conversations, per_accepted_micro } = estimate;
  return (
    <>
      <div className="estimate-head">
        <div>
          <Title order={3} size="h5">
            Estimate
          </Title>
          <span className="estimate-total" data-testid="total">
            {money(total?.expected)}
          </span>
          <Text size="sm" c="dimmed">
            {total ? between(total) : `No price for ${estimate.unpriced.join(", ")}`}
          </Text>
        </div>
        <dl className="facts">
          {parts.map((name) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{money(estimate[name]?.expected)}</dd>
            </div>
          ))}
        </dl>
        <dl className="facts">
          <div>
            <dt>expected accepted</dt>
            <dd>
              about {count(Math.round(accepted))}{" "}
              <Text span size="sm" c="dimmed">
                of {count(conversations)} ({percent(accepted / conversations)})
              </Text>
            </dd>
          </div>
          <div>
            <dt>per accepted conversation</dt>
            <dd>{money(per_accepted_micro)}</dd>
          </div>
        </dl>
      </div>
      <BasisLine estimate={estimate} />
      {warnings.length > 0 && (
        <Alert
          color="yellow"
          variant="outline"
          mt="sm"
          title="Probably not meant"
          role="note"
          className="caution"
        >
          <List size="sm">
            {warnings.map(({ pointer, message }) => (
              <List.Item key={`${pointer} ${message}`}>{message}</List.Item>
            ))}
          </List>
        </Alert>
      )}
    </>
  );
}

export function between({ low, high }: Range): string {
  return low === high ? "exactly" : `between ${money(low)} and ${money(high)}`;
}

export function BasisLine({ estimate }: { estimate: Estimate }) {
  const { kind, runs, conversations, assumptions, same_prompts, range } = estimate.basis;
  const from =
    kind === "history"
      ? `From ${plural(runs, "ended run")} of this config (${plural(conversations, "conversation")}${same_prompts ? "" : ", with other prompts"}), at today's prices.`
      : "No run of this config has ended yet, so this rests on assumptions, at today's prices.";
  const { outcome } = estimate;
  return (
    <details className="basis">
      <summary>{from}</summary>
      <List size="sm">
        {estimate.total && estimate.total.high > 0 && <List.Item>range: {range}</List.Item>}
        {outcome && (
          <List.Item>
            of {plural(estimate.conversations, "conversation")}: about {whole(outcome.accepted)}{" "}
            accepted; rejected {whole(outcome.mechanical)} by rules, {whole(outcome.diversity)} for
            diversity, {whole(outcome.judge)} by the judge; {whole(outcome.failed)} failed
          </List.Item>
        )}
        {assumptions.map((assumption) => (
          <List.Item key={assumption}>{assumption}</List.Item>
        ))}
        {estimate.roles.map((role, seat) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a panel may have one model on two seats
          <List.Item key={`${role.role} ${seat}`}>
            {role.role} on {role.backend}/{role.model}: {plural(role.calls, "call")},{" "}
            {role.calls_per_conversation} a conversation; each about {whole(role.input_per_call)}{" "}
            tokens in, {whole(role.output_per_call)} out; {money(role.cost?.expected)}
          </List.Item>
        ))}
      </List>
    </details>
  );
}

function whole(value: number): string {
  return count(Math.round(value));
}
