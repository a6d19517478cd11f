import { Text } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { Fragment, memo } from "react";
import type { ReasonCount } from "../api";
import { count, percent, plural } from "../format";
import { Section } from "../parts/Section";
import { TableBox } from "../parts/TableBox";
import { LAYERS } from "./layers";

/** Why conversations were rejected or failed, in precedence order. */
export const Reasons = memo(function Reasons(props: { run: string; reasons: ReasonCount[] }) {
  const { run, reasons } = props;
  const whole = reasons.reduce((sum, reason) => sum + reason.count, 0);
  return (
    <Section
      title="Reject reasons"
      beside={whole > 0 && <Text size="sm">{plural(whole, "conversation")}</Text>}
    >
      {reasons.length === 0 ? (
        <Text c="dimmed">No conversation was rejected or failed.</Text>
      ) : (
        <>
          <TableBox label="Reject reasons">
            <table className="plain-table reasons">
              <thead>
                <tr>
                  <th>Reason</th>
                  <th>Layer</th>
                  <th>Count</th>
                  <th>Share</th>
                </tr>
              </thead>
              <tbody>
                {reasons.map((reason) => (
                  <Row
                    key={reason.reason}
                    run={run}
                    reason={reason.reason}
                    layer={reason.layer}
                    counted={reason.count}
                    share={percent(reason.count / whole)}
                  />
                ))}
              </tbody>
            </table>
          </TableBox>
          <Text size="xs" c="dimmed" mt="xs">
            In precedence order: the first layer that says no is recorded. Layer 0 counts under
            Failed.
          </Text>
        </>
      )}
    </Section>
  );
});

/** A code that may go on in the next line after an underscore. */
function Code({ text }: { text: string }) {
  return text.split(/(?<=_)/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one word
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

interface RowProps {
  run: string;
  reason: string;
  layer: number;
  counted: number;
  share: string;
}

const Row = memo(function Row({ run, reason, layer, counted, share }: RowProps) {
  const navigate = useNavigate();
  const search = { run: [run], reason: [reason] };
  return (
    <tr
      className="clickable"
      onClick={({ target }) => {
        const onLink = target instanceof Element && target.closest("a");
        if (!onLink) void navigate({ to: "/corpus", search });
      }}
    >
      <td>
        <Link to="/corpus" search={search} className="row-link" data-row>
          <Code text={reason} />
        </Link>
      </td>
      <td>
        {layer} {LAYERS[layer]}
      </td>
      <td>{count(counted)}</td>
      <td>{share}</td>
    </tr>
  );
});
