import { Text } from "@mantine/core";
import type { Estimate } from "../api";
import { count, money, percent } from "../format";
import { BasisLine, between } from "../runs/EstimateBlock";

interface Props {
  /** null: none can be given while there is something to fix. */
  estimate: Estimate | null | undefined;
  behind: boolean;
}

/** What a run of the config as it is written would cost. */
export function LiveEstimate({ estimate, behind }: Props) {
  return (
    <section className="live-estimate" aria-label="Estimate" aria-live="polite" aria-busy={behind}>
      <h2>Estimate</h2>
      {estimate ? (
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
          </dl>
          <BasisLine estimate={estimate} />
        </>
      ) : (
        <Text size="sm" c="dimmed">
          {estimate === null ? "Known as soon as there is nothing to fix." : "Working it out."}
        </Text>
      )}
    </section>
  );
}
