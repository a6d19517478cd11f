import { Button, Text, Tooltip } from "@mantine/core";
import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Ban, Pause, Play, Rocket, Zap } from "lucide-react";
import { memo } from "react";
import {
  cancelRun,
  failureOf,
  kickRun,
  pauseRun,
  type RunState,
  resumeRun,
  startQueuedRun,
} from "../api";
import { count, plural } from "../format";
import { Plain } from "../parts/Plain";
import { useKey } from "../shell/keys";
import { commanded, type RunView } from "./runView";
import { runKey } from "./useRun";

type Action = "start" | "pause" | "resume" | "kick" | "cancel";

interface Props {
  /** Its id. */
  run: string;
  status: RunView["status"];
}

const KICK = "Sends every thread's next conversation again; what is done is never paid for twice";

/** Start now, pause or resume, kick, cancel: those that the run's state allows. */
export const Controls = memo(function Controls({ run, status }: Props) {
  const { mutate, isPending, variables } = useAction(run);
  const cache = useQueryClient();
  const askFirst = () => {
    const view = cache.getQueryData<RunView>(runKey(run));
    if (view) askToCancel(view, () => mutate("cancel"));
  };
  const doing = (action: Action) => isPending && variables === action;
  const toggle = () => {
    if (status === "paused") mutate("resume");
    else if (status === "running") mutate("pause");
  };
  useKey("P", "Pause or resume the run", () => !isPending && toggle());
  return (
    <>
      {status === "queued" && (
        <Button
          leftSection={<Rocket size={16} aria-hidden />}
          aria-busy={doing("start")}
          onClick={() => !isPending && mutate("start")}
        >
          Start now
        </Button>
      )}
      {/* One button, so that the focus stays on it when the state turns around. */}
      {(status === "paused" || status === "running") && (
        <Button
          variant={status === "paused" ? "filled" : "default"}
          leftSection={
            status === "paused" ? <Play size={16} aria-hidden /> : <Pause size={16} aria-hidden />
          }
          aria-busy={doing("pause") || doing("resume")}
          onClick={() => !isPending && toggle()}
        >
          {doing("pause") ? "Pausing" : status === "paused" ? "Resume" : "Pause"}
        </Button>
      )}
      {status === "running" && (
        <Tooltip label={KICK} multiline w={280} events={{ hover: true, focus: true, touch: true }}>
          <Button
            variant="default"
            leftSection={<Zap size={16} aria-hidden />}
            aria-busy={doing("kick")}
            onClick={() => !isPending && mutate("kick")}
          >
            Kick
          </Button>
        </Tooltip>
      )}
      {(status === "queued" || status === "running" || status === "paused") && (
        <Button
          variant="outline"
          className="danger"
          leftSection={<Ban size={16} aria-hidden />}
          onClick={askFirst}
        >
          Cancel
        </Button>
      )}
    </>
  );
});

function askToCancel(run: RunView, cancel: () => void): void {
  const flying = run.inFlight ?? 0;
  modals.openConfirmModal({
    title: (
      <strong>
        Cancel the run “<Plain text={run.name} />
        ”?
      </strong>
    ),
    closeButtonProps: { "aria-label": "Close" },
    children: (
      <>
        <Text size="sm">
          This stops the run for good. Model calls in flight are aborted
          {flying > 0 && ` (${count(flying)} now)`}, and {count(run.open)} of {count(run.target)}{" "}
          conversations are not made. What was accepted stays.
        </Text>
        <Text size="xs" c="dimmed" mt="xs">
          {run.id}
        </Text>
      </>
    ),
    labels: { confirm: "Cancel the run", cancel: "Keep it" },
    confirmProps: { color: "red" },
    onConfirm: cancel,
  });
}

function useAction(id: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (action: Action): Promise<RunState> => {
      const path = { run: id };
      switch (action) {
        case "start":
          return (await startQueuedRun({ path, throwOnError: true })).data;
        case "pause":
          return (await pauseRun({ path, throwOnError: true })).data;
        case "resume":
          return (await resumeRun({ path, throwOnError: true })).data;
        case "kick":
          return (await kickRun({ path, throwOnError: true })).data;
        case "cancel":
          return (await cancelRun({ path, body: { confirm: true }, throwOnError: true })).data;
      }
    },
    onSuccess: ({ status, seq, threads }, action) => {
      if (status !== null && action !== "kick") {
        cache.setQueryData<RunView>(runKey(id), (run) => run && commanded(run, status, seq));
      }
      notifications.show({ message: done(action, threads ?? 0) });
    },
    onError: (error, action) => {
      const { problem } = failureOf(error);
      notifications.show({
        color: "red",
        title: `No ${action}: ${problem.title}`,
        message: problem.detail,
        autoClose: 10_000,
      });
    },
    // Not waited for: the next command may be given as soon as this one is answered.
    onSettled: () => void cache.invalidateQueries({ queryKey: runKey(id) }),
  });
}

function done(action: Action, threads: number): string {
  switch (action) {
    case "start":
      return "Started: it does not wait for its window";
    case "pause":
      return "Paused: nothing new is sent";
    case "resume":
      return "Resumed: each thread picks up at its next step";
    case "kick":
      return threads > 0 ? `${plural(threads, "thread")} sent again` : "No thread had an open step";
    case "cancel":
      return "Cancelling: calls in flight are aborted";
  }
}
