import { Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useNavigate } from "@tanstack/react-router";
import { FileInput } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef } from "react";
import type { ImportShown } from "../api";
import { DataGrid } from "../parts/DataGrid";
import { Empty, Failed, Loading } from "../parts/states";
import { PageTitle } from "../shell/PageTitle";
import { COLUMNS } from "./columns";
import { DropZone } from "./DropZone";
import "./imports.css";
import { UploadList } from "./UploadList";
import { uploads } from "./uploads";
import { useArrived, useImports } from "./useImports";

/** Imports: send files of conversations that were made elsewhere, and see what became of them. */
export function ImportsPage() {
  const send = useSending();
  return (
    <Stack gap="md" className="imports-page">
      <PageTitle title="Imports" />
      <Text size="sm" c="dimmed">
        Conversations that were made elsewhere. Each row is taken, or refused with its reason; a run
        then puts what was taken through rules, diversity and judge.
      </Text>
      <DropZone onFiles={send} />
      <UploadList />
      <List />
    </Stack>
  );
}

/** Sends files. Who is still here when the last one has arrived is led to it. */
function useSending(): (files: File[]) => void {
  const navigate = useNavigate();
  const arrived = useArrived();
  const here = useRef(false);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);
  return (files) => {
    for (const file of files) {
      uploads.add(file, (made, { known, last }) => {
        arrived(made);
        const message = known
          ? `The same bytes are here already, as ${made.name}.`
          : `${made.name} has arrived.`;
        if (known || !here.current) notifications.show({ message });
        if (last && here.current) {
          void navigate({ to: "/imports/$source", params: { source: made.id } });
        }
      });
    }
  };
}

function List() {
  const navigate = useNavigate();
  const { data, isPending, error, refetch, hasNextPage, isFetching, fetchNextPage } = useImports();
  const rows = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
  const more = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  const open = useCallback(
    ({ id }: ImportShown) => void navigate({ to: "/imports/$source", params: { source: id } }),
    [navigate],
  );
  if (isPending) return <Loading what="imports" />;
  const failed = error && <Failed error={error} what="Imports" onRetry={() => void refetch()} />;
  if (data === undefined) return failed;
  if (rows.length === 0) {
    return (
      failed ?? (
        <Empty icon={FileInput} title="No imports yet">
          What is sent is listed here, with every row that was not taken.
        </Empty>
      )
    );
  }
  return (
    <>
      {failed}
      <DataGrid
        label="Imports"
        rows={rows}
        total={rows.length + (hasNextPage ? 1 : 0)}
        columns={COLUMNS}
        rowId={({ id }) => id}
        onOpen={open}
        onEndReached={more}
      />
    </>
  );
}
