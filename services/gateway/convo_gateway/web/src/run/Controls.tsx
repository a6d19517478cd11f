import { Button, Text, Tooltip } from "@mantine/core";
import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Ban, Pause, Play, Zap } from "lucide-react";
import { cancelRun, failureOf, kickRun, pauseRun, type RunState, resumeRun } from "../api";
import { count, plural } from "../format";
import { FINAL } from "../runs/search";
import { useKey } from "../shell/keys";
import type { LiveRun } from "./liveRun";

type Action = "pause" | "resume" | "kick" | "cancel";

/** Pause or resume, kick, cancel. */
export function Controls({ run }: { run: LiveRun }) {
  const { mutate, isPending } = useAction(run.id);
  const final = FINAL.has(run.status);
  const paused = run.status === "paused";
  const pausable = run.status === "running" || run.status === "queued";
  useKey("P", "Pause or resume", () => {
    if (paused) mutate("resume");
    else if (pausable) mutate("pause");
  });
  if (final) return null;
  return (
    <>
      {paused && (
        <Button
          leftSection={<Play size={16} aria-hidden />}
          loading={isPending}
          onClick={() => mutate("resume")}
        >
          Resume
        </Button>
      )}
      {pausable && (
        <Button
          variant="default"
          leftSection={<Pause size={16} aria-hidden />}
          loading={isPending}
          onClick={() => mutate("pause")}
        >
          Pause
        </Button>
      )}
      <Tooltip label="Sends every thread's next conversation again; what is done is never paid for twice">
        <Button
          variant="default"
          leftSection={<Zap size={16} aria-hidden />}
          onClick={() => mutate("kick")}
        >
          Kick
        </Button>
      </Tooltip>
      {run.status !== "cancelling" && (
        <Button
          variant="outline"
          color="red"
          leftSection={<Ban size={16} aria-hidden />}
          onClick={() => askToCancel(run, () => mutate("cancel"))}
        >
          Cancel
        </Button>
      )}
    </>
  );
}

function askToCancel(run: LiveRun, cancel: () => void): void {
  modals.openConfirmModal({
    title: `Cancel ${run.name}?`,
    children: (
      <Text size="sm">
        This is final. {plural(run.inFlight, "model call")} in flight are aborted, and{" "}
        {count(run.open)} of {count(run.target)} conversations are not made. What was accepted
        stays.
      </Text>
    ),
    labels: { confirm: "Cancel the run", cancel: "Keep it going" },
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
    onSuccess: ({ threads }, action) => {
      if (action === "kick") {
        notifications.show({ message: `${plural(threads ?? 0, "thread")} sent again` });
      }
    },
    onError: (error, action) => {
      const { problem } = failureOf(error);
      notifications.show({
        color: "red",
        title: `No ${action}: ${problem.title}`,
        message: problem.detail,
      });
    },
    onSettled: () => cache.invalidateQueries({ queryKey: ["run", id] }),
  });
}
