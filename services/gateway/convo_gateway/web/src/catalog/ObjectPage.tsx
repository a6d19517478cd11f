import { Alert, Badge, Button, NativeSelect, Stack, Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { Copy, Eye, History, Pencil, Play } from "lucide-react";
import { CopyId } from "../parts/CopyId";
import { Plain } from "../parts/Plain";
import { Failed, Loading } from "../parts/states";
import { When } from "../parts/When";
import { useKey } from "../shell/keys";
import { PageTitle } from "../shell/PageTitle";
import { ArchiveButton } from "./ArchiveButton";
import "../corpus/conversation.css";
import "../run/run.css";
import "./catalog.css";
import { capital, type Kind, WORDS } from "./kinds";
import { type Item, objectQuery, usesQuery, versionsQuery } from "./objects";
import type { ObjectSearch } from "./search";
import { ExportLink } from "./transfer/ExportLink";
import { UsesPanel } from "./UsesPanel";
import { ObjectView } from "./views/ObjectView";
import { YamlPanel } from "./YamlPanel";

const route = getRouteApi("/catalog/$kind/$name/");

/** One object of the catalog, in its latest or an older version. */
export function ObjectPage() {
  const { kind, name } = route.useParams() as { kind: Kind; name: string };
  const search = route.useSearch();
  const version = search.version === undefined ? undefined : Number(search.version);
  const item = useQuery({
    ...objectQuery(kind, name, version),
    placeholderData: (before) => before,
  });
  if (item.isPending) return <Loading what={`the ${WORDS[kind].one}`} />;
  if (item.data === undefined || item.error) {
    return (
      <Stack>
        <PageTitle title={capital(WORDS[kind].one)} />
        <Failed
          error={item.error}
          what={`${capital(WORDS[kind].one)} ${name}`}
          onRetry={() => void item.refetch()}
        />
      </Stack>
    );
  }
  return <Shown kind={kind} item={item.data} search={search} />;
}

function Shown({ kind, item, search }: { kind: Kind; item: Item; search: ObjectSearch }) {
  const { name } = item;
  const navigate = useNavigate({ from: "/catalog/$kind/$name/" });
  const versions = useQuery(versionsQuery(kind, name));
  const latest = versions.data?.[0]?.version ?? item.version;
  useKey(
    "e",
    "Edit",
    () => void navigate({ to: "/catalog/$kind/$name/edit", params: { kind, name } }),
  );
  return (
    <Stack gap="md" className="catalog-object">
      <PageTitle
        title={name}
        beside={
          <>
            <Badge variant="default">{WORDS[kind].one}</Badge>
            {item.archived && <Badge variant="default">archived</Badge>}
          </>
        }
      >
        <Actions kind={kind} item={item} />
      </PageTitle>
      <div className="conversation-facts">
        <CopyId id={name} what="name" />
        <VersionPicker
          versions={versions.data ?? [item]}
          chosen={item.version}
          onChange={(version) =>
            void navigate({
              search: (before) => ({
                ...before,
                version: version === latest ? undefined : String(version),
              }),
            })
          }
        />
        <span>
          Written <When at={item.created_at} />
        </span>
        {item.note && (
          <span dir="auto">
            Note: <Plain text={item.note} />
          </span>
        )}
      </div>
      {item.version < latest && <Older kind={kind} item={item} latest={latest} />}
      <Parts kind={kind} item={item} tab={search.tab} />
    </Stack>
  );
}

function Actions({ kind, item }: { kind: Kind; item: Item }) {
  const params = { kind, name: item.name };
  return (
    <>
      {kind === "run-configs" && (
        <RunConfigActions name={item.name} reads={item.body.mode === "import"} />
      )}
      <Button
        renderRoot={(props) => <Link to="/catalog/$kind/$name/edit" params={params} {...props} />}
        leftSection={<Pencil size={16} aria-hidden />}
      >
        Edit
      </Button>
      <Button
        variant="default"
        renderRoot={(props) => (
          <Link to="/catalog/$kind/$name/versions" params={params} {...props} />
        )}
        leftSection={<History size={16} aria-hidden />}
      >
        Versions
      </Button>
      {kind !== "run-configs" && (
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link
              to="/catalog/$kind/new"
              params={{ kind }}
              search={{ like: item.name }}
              {...props}
            />
          )}
          leftSection={<Copy size={16} aria-hidden />}
        >
          Duplicate
        </Button>
      )}
      <ExportLink kind={kind} name={item.name} />
      <ArchiveButton kind={kind} name={item.name} archived={item.archived} />
    </>
  );
}

function RunConfigActions({ name, reads }: { name: string; reads: boolean }) {
  return (
    <>
      <Button
        variant="default"
        renderRoot={(props) => <Link to="/runs" search={{ form: "open", of: name }} {...props} />}
        leftSection={<Play size={16} aria-hidden />}
      >
        Start run
      </Button>
      {!reads && (
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link to="/catalog/run-configs/$name/preview" params={{ name }} {...props} />
          )}
          leftSection={<Eye size={16} aria-hidden />}
        >
          Seed preview
        </Button>
      )}
    </>
  );
}

function VersionPicker(props: {
  versions: { version: number; note: string }[];
  chosen: number;
  onChange: (version: number) => void;
}) {
  const { versions, chosen, onChange } = props;
  return (
    <NativeSelect
      size="xs"
      aria-label="Version"
      className="version-picker"
      value={String(chosen)}
      data={versions.map(({ version, note }, at) => ({
        value: String(version),
        label: [
          `v${version}`,
          at === 0 ? "(latest)" : "",
          note && `- ${note.length > 40 ? `${note.slice(0, 40)}…` : note}`,
        ]
          .filter(Boolean)
          .join(" "),
      }))}
      onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
    />
  );
}

function Older({ kind, item, latest }: { kind: Kind; item: Item; latest: number }) {
  return (
    <Alert variant="outline" color="orange" icon={<History aria-hidden />} className="notice">
      <span>
        This is version {item.version}; the latest is {latest}. Runs that start now take the latest.
      </span>
      <Link
        to="/catalog/$kind/$name/versions"
        params={{ kind, name: item.name }}
        search={{ from: String(item.version), to: String(latest) }}
        className="text-link"
      >
        What changed since, and restore it
      </Link>
    </Alert>
  );
}

function Parts({ kind, item, tab }: { kind: Kind; item: Item; tab: ObjectSearch["tab"] }) {
  const navigate = useNavigate({ from: "/catalog/$kind/$name/" });
  const uses = useQuery(usesQuery(kind, item.name));
  const show = (chosen: string | null) =>
    void navigate({
      search: (before) => ({
        ...before,
        tab: chosen === "yaml" || chosen === "uses" ? chosen : undefined,
      }),
      replace: true,
    });
  return (
    <Tabs value={tab ?? "read"} onChange={show} keepMounted={false} className="catalog-parts">
      <Tabs.List>
        <Tabs.Tab value="read">Read</Tabs.Tab>
        <Tabs.Tab value="yaml">YAML</Tabs.Tab>
        <Tabs.Tab value="uses">
          Used by{uses.data && <span className="chip-count">{uses.data.items.length}</span>}
        </Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="read">
        <Stack gap="md">
          <ObjectView kind={kind} body={item.body} />
        </Stack>
      </Tabs.Panel>
      <Tabs.Panel value="yaml">
        <YamlPanel kind={kind} name={item.name} version={item.version} />
      </Tabs.Panel>
      <Tabs.Panel value="uses">
        <UsesPanel kind={kind} name={item.name} />
      </Tabs.Panel>
    </Tabs>
  );
}
