import { Button, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { FlaskConical } from "lucide-react";
import { memo } from "react";
import { count } from "../format";
import { Section } from "../parts/Section";
import { TableBox } from "../parts/TableBox";
import { When } from "../parts/When";
import { useVerdictSets } from "../replay/useReplay";

/** The way to try other settings, once the run's record stands still. */
export function TryOther({ run }: { run: string }) {
  return (
    <Button
      variant="default"
      leftSection={<FlaskConical size={16} aria-hidden />}
      renderRoot={(props) => <Link to="/runs/$run/replay" params={{ run }} {...props} />}
    >
      Try other settings
    </Button>
  );
}

/** Verdicts that were kept beside the run's own record; nothing where there are none. */
export const VerdictSets = memo(function VerdictSets({ run }: { run: string }) {
  const { data } = useVerdictSets(run);
  if (data === undefined || data.length === 0) return null;
  return (
    <Section title="Verdict sets">
      <TableBox label="Verdict sets">
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Accepted</th>
              <th scope="col">Flips</th>
              <th scope="col">Made</th>
            </tr>
          </thead>
          <tbody>
            {data.map(({ name, result, created_at }) => (
              <tr key={name}>
                <td>
                  <Link to="/runs/$run/replay" params={{ run }} search={{ set: name }}>
                    {name}
                  </Link>
                </td>
                <td>
                  {count(result.after.accepted ?? 0)} of {count(result.population.value)}
                </td>
                <td>{count(result.flipped)}</td>
                <td>
                  <When at={created_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableBox>
      <Text size="xs" c="dimmed" mt="xs">
        Each beside the run's own record, which stays as it is.
      </Text>
    </Section>
  );
});
