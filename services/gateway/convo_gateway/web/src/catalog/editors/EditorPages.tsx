/** The pages on which objects are written: a new one, and the next version of one that is there. */
import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Failed, Loading } from "../../parts/states";
import { NotFound } from "../../shell/Lost";
import { PageTitle } from "../../shell/PageTitle";
import type { Kind } from "../kinds";
import { WORDS } from "../kinds";
import { objectQuery } from "../objects";
import { Editor } from "./Editor";
import { blankOf } from "./shapes";

const newRoute = getRouteApi("/catalog/$kind/new");
const editRoute = getRouteApi("/catalog/$kind/$name/edit");

export function NewPage() {
  const kind = newRoute.useParams().kind as Kind;
  const { like } = newRoute.useSearch();
  const blank = blankOf(kind);
  if (blank === undefined) return <NotFound />;
  if (like !== undefined) return <Duplicate kind={kind} name={like} />;
  return <Editor key={kind} kind={kind} start={blank} />;
}

function Duplicate({ kind, name }: { kind: Kind; name: string }) {
  const item = useQuery(objectQuery(kind, name));
  if (item.isPending) return <Loading what={`the ${WORDS[kind].one}`} />;
  if (item.data === undefined) return <Missing kind={kind} name={name} error={item.error} />;
  return <Editor key={name} kind={kind} start={{ ...item.data.body, name: "" }} />;
}

export function EditPage() {
  const { kind, name } = editRoute.useParams() as { kind: Kind; name: string };
  const item = useQuery({
    ...objectQuery(kind, name),
    queryKey: ["catalog-edit", kind, name],
    // What is edited does not change under the hands; a save says when somebody else was faster.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  if (blankOf(kind) === undefined) return <NotFound />;
  if (item.isPending) return <Loading what={`the ${WORDS[kind].one}`} />;
  if (item.data === undefined) return <Missing kind={kind} name={name} error={item.error} />;
  return <Editor key={`${kind}/${name}`} kind={kind} base={item.data} start={item.data.body} />;
}

function Missing({ kind, name, error }: { kind: Kind; name: string; error: unknown }) {
  return (
    <Stack>
      <PageTitle title={`Edit ${name}`} />
      <Failed error={error} what={`${WORDS[kind].one} ${name}`} />
    </Stack>
  );
}
