import { Button, Stack } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { PackageOpen } from "lucide-react";
import { Empty, Failed, Loading } from "../parts/states";
import { PageTitle } from "../shell/PageTitle";
import { ExportCard } from "./ExportCard";
import "./exports.css";
import { useExports } from "./useExports";

const route = getRouteApi("/exports");

/** Exports: how far they are, what they hold, what proves it, and where to download it. */
export function ExportsPage() {
  const search = route.useSearch();
  const navigate = useNavigate({ from: "/exports" });
  const list = useExports(search.run);
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Stack gap="md">
      <PageTitle title="Exports">
        {search.run && (
          <Button variant="default" onClick={() => void navigate({ search: {} })}>
            All exports
          </Button>
        )}
      </PageTitle>
      {list.isPending && <Loading what="exports" />}
      {list.error && (
        <Failed error={list.error} what="Exports" onRetry={() => void list.refetch()} />
      )}
      {list.data !== undefined && items.length === 0 && (
        <Empty icon={PackageOpen} title="No exports yet">
          Start one with Export on a run or on Corpus.
        </Empty>
      )}
      {items.map((item) => (
        <ExportCard key={item.id} item={item} isOpen={item.id === search.export} />
      ))}
      {list.hasNextPage && (
        <Button
          variant="default"
          loading={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Older exports
        </Button>
      )}
    </Stack>
  );
}
