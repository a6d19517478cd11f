/** The pages on which a run config is written: a new one, and the next version of one that is there. */
import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { objectQuery } from "../catalog/objects";
import { Failed, Loading } from "../parts/states";
import { PageTitle } from "../shell/PageTitle";
import { inMode, NEW_CONFIG } from "./body";
import { ConfigForm } from "./ConfigForm";

const NEW = "/catalog/run-configs/new";
const EDIT = "/catalog/run-configs/$name/edit";
const newRoute = getRouteApi(NEW);
const editRoute = getRouteApi(EDIT);

export function NewConfigPage() {
  const { from, mode, view = "form" } = newRoute.useSearch();
  const navigate = useNavigate({ from: NEW });
  const item = useQuery({ ...forEditing(from ?? ""), enabled: from !== undefined });
  const blank = useMemo(() => (mode ? inMode(NEW_CONFIG, mode, new Map()) : NEW_CONFIG), [mode]);
  const start = from === undefined ? blank : item.data && { ...item.data.body, name: "" };
  if (from !== undefined && item.error)
    return <Missing title="New run config" {...{ name: from, error: item.error }} />;
  if (start === undefined) return <Loading what="the run config" />;
  return (
    <ConfigForm
      key={`${from} ${mode}`}
      start={start}
      view={view}
      onView={(chosen) =>
        void navigate({
          search: (before) => ({ ...before, view: chosen === "yaml" ? chosen : undefined }),
          replace: true,
        })
      }
    />
  );
}

export function EditConfigPage() {
  const { name } = editRoute.useParams();
  const { view = "form" } = editRoute.useSearch();
  const navigate = useNavigate({ from: EDIT });
  const { data, error } = useQuery(forEditing(name));
  if (error) return <Missing title={`Edit ${name}`} name={name} error={error} />;
  if (data === undefined) return <Loading what="the run config" />;
  return (
    <ConfigForm
      key={name}
      base={data}
      start={data.body}
      view={view}
      onView={(chosen) =>
        void navigate({ search: { view: chosen === "yaml" ? chosen : undefined }, replace: true })
      }
    />
  );
}

/** What is edited does not change under the hands; a save says when somebody else was faster. */
function forEditing(name: string) {
  return {
    ...objectQuery("run-configs", name),
    queryKey: ["run-config-edit", name],
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  };
}

function Missing({ title, name, error }: { title: string; name: string; error: unknown }) {
  return (
    <Stack>
      <PageTitle title={title} />
      <Failed error={error} what={`Run config ${name}`} />
    </Stack>
  );
}
