import { Alert, Button, Group, Paper, Progress, Text, Title } from "@mantine/core";
import { modals } from "@mantine/modals";
import { Link } from "@tanstack/react-router";
import { Ban, CircleX, Download, Trash2 } from "lucide-react";
import { memo, useId } from "react";
import type { ExportMade, ExportShown } from "../api";
import { bytes, count, money, plural } from "../format";
import { CopyId } from "../parts/CopyId";
import { Plain } from "../parts/Plain";
import { StatusBadge } from "../parts/StatusBadge";
import { TableBox } from "../parts/TableBox";
import { When } from "../parts/When";
import { filterWords } from "./filterWords";
import { isUnderWay, useCancelExport, useDeleteExport } from "./useExports";

/** One export: what it was to hold, how far it is, what it holds. */
export const ExportCard = memo(function ExportCard(props: { item: ExportShown; isOpen: boolean }) {
  const { item, isOpen } = props;
  const heading = useId();
  const { made } = item;
  return (
    <Paper component="article" withBorder p="md" aria-labelledby={heading} className="export">
      <Group justify="space-between" gap="xs" align="flex-start">
        <Group gap="sm" className="export-name">
          <Title order={2} size="h4" id={heading}>
            <Plain text={item.name} />
          </Title>
          <StatusBadge status={item.status} />
        </Group>
        <Actions item={item} />
      </Group>
      <Group gap="xs" c="dimmed" className="export-facts">
        <CopyId id={item.id} what="export id" />
        <Text size="sm">
          {item.options.format}, <Origin item={item} />, <When at={item.created_at} />
        </Text>
      </Group>
      {isUnderWay(item) && <HowFar item={item} />}
      {item.problem && (
        <Alert color="red" variant="outline" icon={<CircleX aria-hidden />} mt="xs">
          {item.problem}
        </Alert>
      )}
      {made && (
        <>
          <Held made={made} />
          <details open={isOpen || undefined} className="export-more">
            <summary>Counts, files and checksums</summary>
            <Missing made={made} />
            <Files item={item} made={made} />
          </details>
        </>
      )}
    </Paper>
  );
});

function Origin({ item }: { item: ExportShown }) {
  const { run, view, filter } = item.source;
  if (run) {
    return (
      <>
        of{" "}
        <Link to="/runs/$run" params={{ run }}>
          run {run}
        </Link>
      </>
    );
  }
  if (view) return <>of a saved view</>;
  return (
    <>
      of the corpus where <Plain text={filterWords(filter ?? {})} />
    </>
  );
}

function HowFar({ item }: { item: ExportShown }) {
  const { looked_at: done, total } = item;
  const share = total ? (done / total) * 100 : 0;
  const words = total === null ? "Waiting" : `${count(done)} of ${plural(total, "conversation")}`;
  return (
    <div className="export-progress">
      <Progress.Root size="lg">
        <Progress.Section value={share} aria-label={`Progress of ${item.name}`} />
      </Progress.Root>
      <Text size="sm">{words}</Text>
    </div>
  );
}

/** What the data files hold, each number with what it was counted over. */
function Held({ made }: { made: ExportMade }) {
  const { counts, coverage, cost } = made;
  const splits = Object.entries(counts.splits ?? {});
  return (
    <Text size="sm" mt="xs" className="export-held">
      {plural(counts.rows ?? 0, "row")}: {count(coverage.written.value)} of{" "}
      {plural(coverage.population.value, "conversation")} of {coverage.population.scope}
      {splits.length > 1 && ` (${splits.map(([name, n]) => `${name} ${count(n)}`).join(", ")})`}.
      Cost of the runs: {money(cost.known_micro)} known
      {cost.unknown_calls > 0 && `, ${plural(cost.unknown_calls, "call")} unknown`}.
    </Text>
  );
}

function Missing({ made }: { made: ExportMade }) {
  const why = made.coverage.why ?? [];
  if (why.length === 0) {
    return (
      <Text size="sm" mt="xs">
        Nothing is missing.
      </Text>
    );
  }
  return (
    <TableBox label="what is missing, and why">
      <table className="export-table">
        <caption>What is missing, and why</caption>
        <thead>
          <tr>
            <th scope="col">Left out by</th>
            <th scope="col">What</th>
            <th scope="col">Reason</th>
            <th scope="col" className="number">
              Conversations
            </th>
          </tr>
        </thead>
        <tbody>
          {why.map((one) => (
            <tr key={`${one.why} ${one.code} ${one.layer} ${one.reason}`}>
              <td>{WHY[one.why] ?? one.why}</td>
              <td>{one.code?.replaceAll("_", " ")}</td>
              <td>{one.reason}</td>
              <td className="number">{count(one.count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}

const WHY: Record<string, string> = {
  status: "not asked for",
  not_made: "not made",
  format: "the format",
  review: "reviews",
};

function Files({ item, made }: { item: ExportShown; made: ExportMade }) {
  const files = [
    { path: "manifest.json", rows: null, bytes: made.manifest_bytes, sha256: made.manifest_sha256 },
    ...made.files,
  ];
  return (
    <TableBox label="files">
      <table className="export-table">
        <caption>Files</caption>
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col" className="number">
              Rows
            </th>
            <th scope="col" className="number">
              Size
            </th>
            <th scope="col">SHA-256</th>
          </tr>
        </thead>
        <tbody>
          {files.map((file) => (
            <tr key={file.path}>
              <td>
                {item.status === "done" ? (
                  <a href={`/api/v1/exports/${item.id}/files/${file.path}`} download>
                    {file.path}
                  </a>
                ) : (
                  file.path
                )}
              </td>
              <td className="number">{file.rows == null ? "" : count(file.rows)}</td>
              <td className="number">{bytes(file.bytes)}</td>
              <td>
                <code title={file.sha256}>{file.sha256.slice(0, 16)}…</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {(made.more_files ?? 0) > 0 && (
        <Text size="sm" c="dimmed">
          And {plural(made.more_files ?? 0, "more file")}; the manifest names all of them.
        </Text>
      )}
    </TableBox>
  );
}

function Actions({ item }: { item: ExportShown }) {
  const cancel = useCancelExport();
  const remove = useDeleteExport();
  const ask = () =>
    modals.openConfirmModal({
      title: `Delete the export “${item.name.slice(0, 80)}”?`,
      closeButtonProps: { "aria-label": "Close" },
      children: <Text size="sm">Its files are deleted. The conversations stay as they are.</Text>,
      labels: { confirm: "Delete export", cancel: "Keep it" },
      confirmProps: { color: "red" },
      onConfirm: () => remove.mutate(item.id),
    });
  return (
    <Group gap="xs">
      {item.status === "done" && (
        <Button
          component="a"
          href={`/api/v1/exports/${item.id}/archive`}
          download
          size="xs"
          leftSection={<Download size={15} aria-hidden />}
        >
          Download ({bytes(item.bytes)})
        </Button>
      )}
      {isUnderWay(item) ? (
        <Button
          variant="default"
          size="xs"
          loading={cancel.isPending}
          leftSection={<Ban size={15} aria-hidden />}
          onClick={() => cancel.mutate(item.id)}
        >
          Cancel export
        </Button>
      ) : (
        <Button
          variant="default"
          size="xs"
          loading={remove.isPending}
          leftSection={<Trash2 size={15} aria-hidden />}
          onClick={ask}
        >
          Delete
        </Button>
      )}
    </Group>
  );
}
