import { Alert, Button, Progress, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { Ban, CircleX } from "lucide-react";
import { useCallback, useMemo } from "react";
import { type Failure, failureOf, type Replay, type ReplayChanges } from "../api";
import type { Json } from "../catalog/json";
import { objectQuery } from "../catalog/objects";
import { count, plural } from "../format";
import { Plain } from "../parts/Plain";
import { Section } from "../parts/Section";
import { Failed, Loading } from "../parts/states";
import "../run/run.css";
import { useRun } from "../run/useRun";
import { PageTitle } from "../shell/PageTitle";
import { DeleteVerdictSet } from "./DeleteVerdictSet";
import { Flips } from "./Flips";
import { Keep } from "./Keep";
import { ReplayForm } from "./ReplayForm";
import { Result } from "./Result";
import "./replay.css";
import { asText, type ReplaySearch, STANDS } from "./search";
import { baseOf, readChanges, wordsOf } from "./settings";
import {
  isUnderWay,
  useCancelReplay,
  useFrozen,
  useReplay,
  useStartReplay,
  useVerdictSet,
} from "./useReplay";

type Part = { [key: string]: Json };
const route = getRouteApi("/runs/$run/replay");

/** A run's verdicts with other settings: what would flip, without a model call. */
export function ReplayPage() {
  const { run: id } = route.useParams();
  const search = route.useSearch();
  const run = useRun(id);
  const kept = useVerdictSet(id, search.set);
  if (run.isPending) return <Loading what="the run" />;
  if (run.data === undefined) {
    return <Failed error={run.error} what={`Run ${id}`} onRetry={() => void run.refetch()} />;
  }
  return (
    <Stack gap="md" className="replay-page">
      <PageTitle title={search.set ? `Verdict set ${search.set}` : "Try other settings"}>
        {kept.data && <DeleteVerdictSet run={id} name={kept.data.name} />}
      </PageTitle>
      <Text size="sm">
        Run{" "}
        <Link to="/runs/$run" params={{ run: id }}>
          <Plain text={run.data.name} />
        </Link>
        . Its verdicts are decided again from what was found and scored; no model is called, and the
        run's own record stays as it is.
      </Text>
      {search.set ? (
        <Kept run={id} name={search.set} search={search} />
      ) : (
        <Trying run={id} search={search} stands={STANDS.has(run.data.status)} />
      )}
    </Stack>
  );
}

function useSearchChange() {
  const navigate = useNavigate({ from: "/runs/$run/replay" });
  return useCallback(
    (part: ReplaySearch, replace = true) =>
      void navigate({ search: (before) => ({ ...before, ...part }), replace }),
    [navigate],
  );
}

function Trying(props: { run: string; search: ReplaySearch; stands: boolean }) {
  const { run, search, stands } = props;
  const change = useSearchChange();
  const start = useStartReplay(run);
  const replay = useReplay(run, search.replay);
  const told = search.with === undefined ? replay.data?.changes : undefined;
  const changes = useMemo(() => told ?? readChanges(search.with), [told, search.with]);
  const attempt = (tried: Part) =>
    start.mutate(
      { changes: tried as ReplayChanges, key: crypto.randomUUID() },
      {
        onSuccess: ({ id }) => {
          change({ with: asText(tried), replay: id, flips: undefined, peek: undefined }, false);
          requestAnimationFrame(showResult);
        },
      },
    );
  const startFrom = useCallback(
    (config: string | undefined) =>
      change({ with: config && asText({ config }), replay: undefined }, false),
    [change],
  );
  const waits = search.with === undefined && search.replay !== undefined && replay.isPending;
  return (
    <div className="replay-columns">
      <div>
        {!stands && (
          <Alert variant="outline" title="The run is still going">
            Pause it first: its record has to stand still.
          </Alert>
        )}
        {waits ? (
          <Loading what="the settings" />
        ) : (
          <Settings
            run={run}
            changes={changes as Part}
            failure={start.error ? failureOf(start.error) : undefined}
            busy={start.isPending}
            onConfig={startFrom}
            onTry={attempt}
          />
        )}
      </div>
      <div className="replay-result" id="replay-result">
        {search.replay === undefined && (
          <Section title="What would flip">
            <Text c="dimmed">Change something, and see which verdicts would be others.</Text>
          </Section>
        )}
        {replay.error && <Failed error={replay.error} what="The replay" />}
        {replay.data && <Outcome run={run} replay={replay.data} search={search} />}
      </div>
    </div>
  );
}

/** Where the result stands under the form, bring it into view. */
function showResult() {
  if (!matchMedia("(max-width: 62em)").matches) return;
  document.getElementById("replay-result")?.scrollIntoView({ block: "start" });
}

function Settings(props: {
  run: string;
  changes: Part;
  failure: Failure | undefined;
  busy: boolean;
  onConfig: (config: string | undefined) => void;
  onTry: (changes: Part) => void;
}) {
  const { run, changes, ...rest } = props;
  const frozen = useFrozen(run);
  const named = typeof changes.config === "string" ? changes.config : undefined;
  const config = useQuery({
    ...objectQuery("run-configs", named ?? ""),
    enabled: named !== undefined,
  });
  const base = useMemo(
    () => (named ? config.data && baseOf(config.data.body) : frozen.data?.base),
    [named, config.data, frozen.data],
  );
  const error = frozen.error ?? config.error;
  if (error) return <Failed error={error} what="The settings" />;
  if (base === undefined) return <Loading what="the settings" />;
  return (
    <ReplayForm
      key={named ?? ""}
      base={base}
      scale={frozen.data?.scale}
      changes={changes}
      {...rest}
    />
  );
}

function Outcome(props: { run: string; replay: Replay; search: ReplaySearch }) {
  const { run, replay, search } = props;
  const change = useSearchChange();
  if (isUnderWay(replay)) return <UnderWay run={run} replay={replay} />;
  if (replay.result === null) {
    return (
      <Alert color="red" variant="outline" icon={<CircleX aria-hidden />} title="The replay failed">
        {replay.problem}
      </Alert>
    );
  }
  return (
    <>
      <Text size="sm">
        Tried: {wordsOf(replay.changes as Part).join("; ") || "nothing changed"}.
      </Text>
      <Result result={replay.result} notes={replay.notes} />
      <Keep run={run} replay={replay} />
      <Flips
        run={run}
        source={{ replay: replay.id }}
        result={replay.result}
        search={search}
        onSearch={change}
      />
    </>
  );
}

const PHASES: Record<string, string> = { reading: "Looked at", comparing: "Compared" };

function UnderWay({ run, replay }: { run: string; replay: Replay }) {
  const change = useSearchChange();
  const cancel = useCancelReplay(run);
  const { phase, looked_at: done, total } = replay;
  const words = PHASES[phase];
  return (
    <Section
      title="What would flip"
      beside={
        <Button
          size="xs"
          variant="default"
          leftSection={<Ban size={15} aria-hidden />}
          loading={cancel.isPending}
          onClick={() =>
            cancel.mutate(replay.id, { onSuccess: () => change({ replay: undefined }) })
          }
        >
          Cancel
        </Button>
      }
    >
      <Progress.Root size="lg">
        <Progress.Section
          value={total > 0 ? (done / total) * 100 : 0}
          aria-label="Progress of the replay"
        />
      </Progress.Root>
      <Text size="sm" role="status">
        {words ? `${words} ${count(done)} of ${plural(total, "conversation")}` : "Waiting"}
      </Text>
    </Section>
  );
}

function Kept({ run, name, search }: { run: string; name: string; search: ReplaySearch }) {
  const change = useSearchChange();
  const { data, error, refetch, isPending } = useVerdictSet(run, name);
  if (isPending) return <Loading what="the verdict set" />;
  if (data === undefined) {
    return <Failed error={error} what="The verdict set" onRetry={() => void refetch()} />;
  }
  return (
    <>
      <Text size="sm">
        Made with: {wordsOf(data.changes as Part).join("; ") || "nothing changed"}.
      </Text>
      <Result result={data.result} notes={[]} />
      <Flips
        run={run}
        source={{ set: name }}
        result={data.result}
        search={search}
        onSearch={change}
      />
    </>
  );
}
