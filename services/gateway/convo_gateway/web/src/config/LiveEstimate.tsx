import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type Estimate, listConfigEstimates } from "../api";
import { count, money, percent, plural } from "../format";
import { BasisLine, between } from "../runs/EstimateBlock";

interface Props {
  /** null: none can be given while there is something to fix. */
  estimate: Estimate | null | undefined;
  behind: boolean;
  /** Name of the config where it is saved already: its earlier estimates tell how far to trust this one. */
  saved: string | undefined;
  /** Whether it is of mode import: then how much there is to do depends on the file. */
  reads: boolean;
}

const PARTS = ["generation", "judge", "memory", "roughen"] as const;

/** What a run of the config as it is written would cost. */
export function LiveEstimate({ estimate, behind, saved, reads }: Props) {
  return (
    <section className="live-estimate" aria-label="Estimate" aria-live="polite" aria-busy={behind}>
      <h2>Estimate</h2>
      {estimate && reads ? (
        <OfAFile estimate={estimate} />
      ) : estimate ? (
        <>
          <span className="estimate-total" data-testid="total">
            {money(estimate.total?.expected)}
          </span>
          <Text size="sm" c="dimmed">
            {estimate.total
              ? between(estimate.total)
              : `No price for ${estimate.unpriced.join(", ")}`}
          </Text>
          <dl className="facts">
            <div>
              <dt>expected accepted</dt>
              <dd>
                about {count(Math.round(estimate.accepted))}{" "}
                <Text span size="sm" c="dimmed">
                  of {count(estimate.conversations)} (
                  {percent(estimate.accepted / estimate.conversations)})
                </Text>
              </dd>
            </div>
            <div>
              <dt>per accepted</dt>
              <dd>{money(estimate.per_accepted_micro)}</dd>
            </div>
            {PARTS.filter((part) => estimate[part]?.expected !== 0).map((part) => (
              <div key={part}>
                <dt>{part}</dt>
                <dd>{money(estimate[part]?.expected)}</dd>
              </div>
            ))}
          </dl>
          <BasisLine estimate={estimate} />
        </>
      ) : (
        <Text size="sm" c="dimmed">
          {estimate === null ? "Known as soon as there is nothing to fix." : "Working it out."}
        </Text>
      )}
      {saved && <EarlierOnes config={saved} />}
    </section>
  );
}

/** What one conversation of a file costs; the file itself is chosen when a run is started. */
function OfAFile({ estimate }: { estimate: Estimate }) {
  const { total, conversations } = estimate;
  return (
    <>
      <span className="estimate-total" data-testid="total">
        {money(total && total.expected / conversations)}
      </span>
      <Text size="sm" c="dimmed">
        {total?.expected === 0
          ? "No model is asked, so a run costs nothing."
          : "for each conversation. The form that starts a run tells the sum for the import that is chosen there."}
      </Text>
      <BasisLine estimate={estimate} />
    </>
  );
}

/** How far the estimates of earlier runs were off. */
function EarlierOnes({ config }: { config: string }) {
  const { data } = useQuery({
    queryKey: ["run-configs", config, "estimates"],
    queryFn: async ({ signal }) =>
      (await listConfigEstimates({ path: { name: config }, signal, throwOnError: true })).data,
    staleTime: 60_000,
  });
  const known = data?.items.filter(({ error }) => error !== null).length ?? 0;
  if (data?.mean_error == null || known === 0) return null;
  return (
    <Text size="sm" c="dimmed" mt="xs">
      Estimates of {plural(known, "completed run")} were off by {percent(data.mean_error)} on
      average.
    </Text>
  );
}
