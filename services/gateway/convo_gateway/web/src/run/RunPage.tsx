import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { getRun, type Run } from "../api";
import { useTopic } from "../live/hooks";
import { CopyId } from "../parts/CopyId";
import { StatusBadge } from "../parts/StatusBadge";
import { Failed, Loading } from "../parts/states";
import { VerdictBar } from "../parts/VerdictBar";
import { PageTitle } from "../shell/PageTitle";
import { Controls } from "./Controls";
import { Counters } from "./Counters";
import { type LiveRun, liveRun } from "./liveRun";

const route = getRouteApi("/runs/$run");

/** One run: its state, its controls, and what it has brought so far. */
export function RunPage() {
  const { run: id } = route.useParams();
  const page = useRun(id);
  const topic = useTopic(`run:${id}`);
  if (page.isPending) return <Loading what="the run" />;
  if (page.data === undefined) {
    return (
      <Stack>
        <PageTitle title="Run" />
        <Failed error={page.error} what={`Run ${id}`} onRetry={() => void page.refetch()} />
      </Stack>
    );
  }
  return <Shown run={liveRun(page.data, topic.state)} />;
}

function Shown({ run }: { run: LiveRun }) {
  return (
    <Stack gap="md">
      <PageTitle title={run.name} beside={<StatusBadge status={run.status} />}>
        <Controls run={run} />
      </PageTitle>
      <CopyId id={run.id} what="run id" />
      {run.detail && <Text>{run.detail}</Text>}
      <VerdictBar of={run} labels />
      <Counters run={run} />
    </Stack>
  );
}

function useRun(id: string) {
  return useQuery({
    queryKey: ["run", id],
    queryFn: async ({ signal }): Promise<Run> =>
      (await getRun({ path: { run: id }, signal, throwOnError: true })).data,
  });
}
