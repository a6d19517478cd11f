import { Button, Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { useNavigate } from "@tanstack/react-router";
import { Trash2 } from "lucide-react";
import { failureOf } from "../api";
import { useDeleteVerdictSet } from "./useReplay";

/** Lets go of a verdict set, after asking. The run's own record stays. */
export function DeleteVerdictSet({ run, name }: { run: string; name: string }) {
  const remove = useDeleteVerdictSet(run);
  const navigate = useNavigate();
  const go = () =>
    remove.mutate(name, {
      onSuccess: () => {
        notifications.show({ message: `Verdict set ${name} is deleted.` });
        void navigate({ to: "/runs/$run", params: { run } });
      },
      onError: (error) => {
        const { problem, message } = failureOf(error);
        notifications.show({ color: "red", title: `Not deleted: ${problem.title}`, message });
      },
    });
  const ask = () =>
    modals.openConfirmModal({
      title: `Delete the verdict set ${name}?`,
      closeButtonProps: { "aria-label": "Close" },
      children: (
        <Text size="sm">
          Its verdicts are deleted. The run's own record stays as it is, and so do exports that were
          made with the set.
        </Text>
      ),
      labels: { confirm: "Delete verdict set", cancel: "Keep it" },
      confirmProps: { color: "red" },
      onConfirm: go,
    });
  return (
    <Button
      variant="default"
      loading={remove.isPending}
      leftSection={<Trash2 size={16} aria-hidden />}
      onClick={ask}
    >
      Delete
    </Button>
  );
}
