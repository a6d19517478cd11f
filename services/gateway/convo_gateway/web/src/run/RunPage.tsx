import { SimpleGrid, Stack } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { getRejects, isGone, type Rejects } from "../api";
import { CopyId } from "../parts/CopyId";
import { StatusBadge } from "../parts/StatusBadge";
import { Failed, Loading } from "../parts/states";
import { VerdictBar } from "../parts/VerdictBar";
import { STANDS } from "../replay/search";
import { FINAL } from "../runs/search";
import { PageTitle } from "../shell/PageTitle";
import { Comparisons } from "./Comparisons";
import { Controls } from "./Controls";
import { Cost } from "./Cost";
import { Counters } from "./Counters";
import { Distributions } from "./Distributions";
import { Diversity } from "./Diversity";
import { Events } from "./Events";
import { ExportMenu } from "./ExportMenu";
import { FrozenPart } from "./FrozenPart";
import { JudgeHealth } from "./JudgeHealth";
import { LastRejects } from "./LastRejects";
import { Notice } from "./Notice";
import { Pipeline } from "./Pipeline";
import { RaiseCap } from "./RaiseCap";
import { Reasons } from "./Reasons";
import "./run.css";
import type { RunView } from "./runView";
import { TakenFrom } from "./TakenFrom";
import { Throughput } from "./Throughput";
import { useBeside } from "./useBeside";
import { useRowKeys } from "./useRowKeys";
import { useRun } from "./useRun";
import { TryOther, VerdictSets } from "./VerdictSets";

const REJECTS_PAUSE_MS = 2_000;
const NONE: never[] = [];
const route = getRouteApi("/runs/$run");

/** One run: its state, its controls, and what it has brought so far. */
export function RunPage() {
  const { run: id } = route.useParams();
  const page = useRun(id);
  if (page.isPending) return <Loading what="the run" />;
  if (page.data === undefined || isGone(page.error)) {
    return (
      <Stack>
        <PageTitle title="Run" />
        <Failed error={page.error} what={`Run ${id}`} onRetry={() => void page.refetch()} />
      </Stack>
    );
  }
  return <Shown key={id} run={page.data} />;
}

function Shown({ run }: { run: RunView }) {
  const { id, produced, evidence, requested } = run;
  const isFinal = FINAL.has(run.status);
  const isLive = !isFinal && run.status !== "queued";
  const rejects = useRejects(run);
  useRowKeys();
  useBeside(id);
  return (
    <Stack gap="md" className="run-page">
      <PageTitle title={run.name} beside={<StatusBadge status={run.status} />}>
        {run.status === "paused" && run.reason === "spend_cap" && (
          <RaiseCap
            run={id}
            capMicro={run.spend_cap_micro ?? null}
            spentMicro={run.cost_micro ?? null}
          />
        )}
        <Controls run={id} status={run.status} />
        {STANDS.has(run.status) && <TryOther run={id} />}
        <ExportMenu run={id} />
      </PageTitle>
      <CopyId id={id} what="run id" />
      {run.mode === "import" && <TakenFrom run={id} target={run.target} />}
      <Notice run={run} />
      <VerdictBar of={run} labels />
      <Counters run={run} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Reasons run={id} reasons={run.reasons ?? rejects?.reasons ?? NONE} />
        <LastRejects
          run={id}
          live={run.lastRejects ?? rejects?.last ?? NONE}
          known={rejects?.last ?? NONE}
        />
        <Diversity run={id} now={produced.diversity} isLive={isLive} />
        <Cost
          cost={produced.cost}
          target={run.target}
          open={produced.open.value}
          isFinal={isFinal}
        />
      </SimpleGrid>
      <VerdictSets run={id} />
      {produced.comparisons && <Comparisons of={produced.comparisons} />}
      {requested.judge && <JudgeHealth run={id} isLive={isLive} />}
      <Throughput run={id} isLive={isLive} />
      <Distributions run={id} isLive={isLive} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <FrozenPart run={id} requested={requested} snapshot={evidence.snapshot} />
        <Events run={id} isLive={isLive} />
      </SimpleGrid>
      <Pipeline
        run={id}
        stages={evidence.pipeline}
        isFinal={isFinal}
        reads={run.mode === "import"}
      />
    </Stack>
  );
}

/** The last rejects with their words; read again, not too often, when another one is told live. */
function useRejects(run: RunView): Rejects | undefined {
  const { data, refetch } = useQuery({
    queryKey: ["run", run.id, "rejects"],
    queryFn: async ({ signal }) =>
      (await getRejects({ path: { run: run.id }, signal, throwOnError: true })).data,
    placeholderData: keepPreviousData,
  });
  const newest = run.lastRejects?.[0]?.id;
  const known = data?.last[0]?.id;
  const due = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (newest === undefined || newest === known || due.current !== undefined) return;
    due.current = setTimeout(() => {
      due.current = undefined;
      void refetch();
    }, REJECTS_PAUSE_MS);
  }, [newest, known, refetch]);
  useEffect(() => () => clearTimeout(due.current), []);
  return data;
}
