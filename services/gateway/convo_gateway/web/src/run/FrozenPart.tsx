import { Anchor, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { FileDiff } from "lucide-react";
import { memo } from "react";
import { type Frozen, type FrozenObject, getFrozen, type Requested } from "../api";
import { optionWords } from "../corpus/judging";
import { count, plural, several } from "../format";
import { CopyId } from "../parts/CopyId";
import { Section } from "../parts/Section";
import { TableBox } from "../parts/TableBox";

interface Props {
  run: string;
  requested: Requested;
  snapshot: string;
}

/** What was asked for and frozen, beside what the catalog has now. */
export const FrozenPart = memo(function FrozenPart({ run, requested, snapshot }: Props) {
  const { data, error } = useQuery({
    queryKey: ["run", run, "frozen"],
    queryFn: async ({ signal }) =>
      (await getFrozen({ path: { run }, signal, throwOnError: true })).data,
    retry: false,
  });
  const { judge } = requested;
  const facts: [string, string][] = [
    ["Config", `${requested.config} v${requested.config_version}`],
    ["Mode", requested.mode],
    ["Target", plural(requested.conversations.value, "conversation")],
    ["Expected accepted", about(requested.expected_accepted)],
    ["Seed", String(requested.seed)],
    ["Threads", count(requested.lanes)],
    ["Language", requested.language],
    ["Personas", several(requested.personas)],
    ["Voices", several(requested.voices)],
    ...requested.roles.map(({ role, backend, model }): [string, string] => [
      `Model, ${role}`,
      `${model} on ${backend}`,
    ]),
    ["Judge", judge ? `${judge.criteria.join(", ")}; at least ${judge.threshold}` : "none"],
    ["Judges asked", judge ? optionWords(judge) : ""],
  ];
  return (
    <Section
      title="Frozen at the start"
      beside={
        <Anchor href={`/api/v1/runs/${run}/snapshot`} target="_blank" size="sm" underline="always">
          Snapshot as JSON
        </Anchor>
      }
    >
      <dl className="facts">
        {facts
          .filter(([, value]) => value !== "")
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      <div className="snapshot-id">
        <Text size="sm" c="dimmed">
          Content hash
        </Text>
        <CopyId id={snapshot} what="content hash" />
      </div>
      {error && (
        <Text size="sm" className="warn">
          {error.message}
        </Text>
      )}
      {data && data.objects.length > 0 && <Objects frozen={data} />}
    </Section>
  );
});

function Objects({ frozen }: { frozen: Frozen }) {
  const changed = frozen.objects.filter((object) => object.changed).length;
  return (
    <details className="as-table" open={changed > 0 && frozen.objects.length <= 12}>
      <summary>
        {plural(frozen.objects.length, "catalog object")},{" "}
        {changed === 0 ? "none changed since" : `${changed} changed since`}
      </summary>
      <TableBox label="Catalog objects">
        <Table verticalSpacing={3}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Kind</Table.Th>
              <Table.Th>Name</Table.Th>
              <Table.Th>Frozen</Table.Th>
              <Table.Th>Now</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {frozen.objects.map((object) => (
              <Table.Tr key={`${object.kind}/${object.name}`}>
                <Table.Td>{object.kind}</Table.Td>
                <Table.Td>{object.name}</Table.Td>
                <Table.Td>v{object.version}</Table.Td>
                <Table.Td>
                  <Now object={object} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </TableBox>
    </details>
  );
}

function Now({ object }: { object: FrozenObject }) {
  if (!object.changed) return object.archived ? "same, archived" : "same";
  return (
    <span className="warn changed-since">
      <FileDiff size={14} aria-hidden />
      {object.latest === null ? "not in the catalog" : `changed since, v${object.latest}`}
    </span>
  );
}

function about(accepted: number | null): string {
  return accepted === null ? "not known" : `about ${count(Math.round(accepted))}`;
}
