import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { plural } from "../../format";
import { Section } from "../../parts/Section";
import { Failed, Loading } from "../../parts/states";
import { PageTitle } from "../../shell/PageTitle";
import "../../run/run.css";
import "../catalog.css";
import type { Kind } from "../kinds";
import { comparisonQuery, versionsQuery } from "../objects";
import type { VersionsSearch } from "../search";
import { FieldChanges } from "./FieldChanges";
import { RestoreDialog } from "./RestoreDialog";
import { TextDiff } from "./TextDiff";
import "./versions.css";
import { VersionsTable } from "./VersionsTable";

const route = getRouteApi("/catalog/$kind/$name/versions");

/** Every version of an object; two of them side by side; an older one written again. */
export function VersionsPage() {
  const { kind, name } = route.useParams() as { kind: Kind; name: string };
  const search = route.useSearch();
  const navigate = useNavigate({ from: "/catalog/$kind/$name/versions" });
  const [restoring, setRestoring] = useState<number>();
  const versions = useQuery(versionsQuery(kind, name));
  if (versions.isPending) return <Loading what="the versions" />;
  const latest = versions.data?.[0]?.version;
  if (versions.data === undefined || latest === undefined) {
    return (
      <Stack>
        <PageTitle title={`Versions of ${name}`} />
        <Failed error={versions.error} what="Versions" onRetry={() => void versions.refetch()} />
      </Stack>
    );
  }
  const { from, to } = chosen(search, latest);
  return (
    <Stack gap="md">
      <PageTitle title={`Versions of ${name}`} />
      <Section
        title={plural(versions.data.length, "version")}
        beside={
          <Text size="sm" c="dimmed">
            Choose two to compare
          </Text>
        }
      >
        <VersionsTable
          kind={kind}
          name={name}
          versions={versions.data}
          from={from}
          to={to}
          onChoose={(part) =>
            void navigate({ search: (before) => ({ ...before, ...part }), replace: true })
          }
          onRestore={setRestoring}
        />
      </Section>
      {from === to ? (
        <Text c="dimmed">
          {versions.data.length === 1
            ? "There is one version; an edit makes the next."
            : "Choose two different versions."}
        </Text>
      ) : (
        <Comparison kind={kind} name={name} from={from} to={to} />
      )}
      <RestoreDialog
        kind={kind}
        name={name}
        latest={latest}
        version={restoring}
        onClose={() => setRestoring(undefined)}
      />
    </Stack>
  );
}

/** The two that are compared: those of the address, else the latest and the one before it. */
function chosen(search: VersionsSearch, latest: number): { from: number; to: number } {
  const to = Number(search.to ?? latest);
  return { from: Number(search.from ?? Math.max(1, to - 1)), to };
}

function Comparison(props: { kind: Kind; name: string; from: number; to: number }) {
  const { kind, name, from, to } = props;
  const { data, error, isPending, refetch } = useQuery(comparisonQuery(kind, name, from, to));
  if (isPending) return <Loading what="what changed" />;
  if (data === undefined) {
    return <Failed error={error} what="Comparison" onRetry={() => void refetch()} />;
  }
  return (
    <>
      <Section
        title={`From version ${from} to ${to}`}
        beside={
          <Text size="sm" c="dimmed">
            {plural(data.changes.length, "change")}
          </Text>
        }
      >
        <FieldChanges changes={data.changes} />
      </Section>
      {data.changes.length > 0 && (
        <Section title="As text">
          <TextDiff before={data.before_yaml} after={data.after_yaml} />
        </Section>
      )}
    </>
  );
}
