import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { CircleX, LoaderCircle, Play } from "lucide-react";
import type { ImportShown } from "../api";
import { isGone } from "../api";
import { count } from "../format";
import { CopyId } from "../parts/CopyId";
import { Plain } from "../parts/Plain";
import { Section } from "../parts/Section";
import { StatusBadge } from "../parts/StatusBadge";
import { Failed, Loading } from "../parts/states";
import { When } from "../parts/When";
import { PageTitle } from "../shell/PageTitle";
import { DeleteImport } from "./DeleteImport";
import "./imports.css";
import { Reasons } from "./Reasons";
import { RefusedRows } from "./RefusedRows";
import { useImport } from "./useImports";
import { fileWords, heldWords, ofRows, readingWords } from "./words";

const route = getRouteApi("/imports/$source");

/** One import: what was taken of it, what was refused and why, and the way to a run over it. */
export function ImportPage() {
  const { source } = route.useParams();
  const { data, error, isPending, refetch } = useImport(source);
  if (isPending) return <Loading what="the import" />;
  if (data === undefined || isGone(error)) {
    return (
      <Stack>
        <PageTitle title="Import" />
        <Failed error={error} what={`Import ${source}`} onRetry={() => void refetch()} />
      </Stack>
    );
  }
  return <Shown key={source} of={data} />;
}

function Shown({ of }: { of: ImportShown }) {
  const { id, name, status, detail, refused } = of;
  return (
    <Stack gap="md" className="import-page">
      <PageTitle title={name} beside={<StatusBadge status={status} />}>
        {status === "ready" && <Clean source={id} />}
        {status !== "reading" && <DeleteImport id={id} name={name} />}
      </PageTitle>
      <Group gap="xs" c="dimmed">
        <CopyId id={id} what="import id" />
        <Text size="sm">
          {fileWords(of)}, sent <When at={of.created_at} />
        </Text>
      </Group>
      {status === "reading" && (
        <Alert variant="outline" icon={<LoaderCircle aria-hidden />} role="status">
          {readingWords(of)}
        </Alert>
      )}
      {status === "broken" && (
        <Alert
          color="red"
          variant="outline"
          icon={<CircleX aria-hidden />}
          title="Nothing of it can be used"
          className="failed"
        >
          <Plain text={detail} />
        </Alert>
      )}
      <Counters of={of} />
      {status === "ready" && (
        <Section title="What was taken">
          <Text size="sm">{heldWords(of)}</Text>
          {of.sha256 && (
            <Group gap="xs" mt="xs">
              <Text size="sm" c="dimmed">
                SHA-256 of the file
              </Text>
              <CopyId id={of.sha256} what="SHA-256" />
            </Group>
          )}
        </Section>
      )}
      {of.refusals.length > 0 && <Reasons refusals={of.refusals} refused={refused} />}
      {refused > 0 && <RefusedRows source={id} refused={refused} />}
    </Stack>
  );
}

function Clean({ source }: { source: string }) {
  return (
    <Button
      leftSection={<Play size={16} aria-hidden />}
      renderRoot={(props) => (
        <Link to="/runs" search={{ form: "open", import: source }} {...props} />
      )}
    >
      Clean it with a run
    </Button>
  );
}

function Counters({ of }: { of: ImportShown }) {
  const { read, taken, refused, mended } = of;
  const tiles: [string, number, string][] = [
    ["Rows read", read, ""],
    ["Taken", taken, ofRows(taken, read)],
    ["Refused", refused, ofRows(refused, read)],
    ["Mended", mended, "characters that no database holds"],
  ];
  return (
    <dl className="counters">
      {tiles.map(([name, value, beside]) => (
        <div key={name} className="counter" data-counter={name}>
          <dt>{name}</dt>
          <dd>
            {count(value)}
            {beside && (
              <Text span size="sm" c="dimmed" className="counter-beside">
                {beside}
              </Text>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
