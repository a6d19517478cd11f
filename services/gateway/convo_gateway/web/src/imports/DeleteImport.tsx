import { Button, Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { useNavigate } from "@tanstack/react-router";
import { Trash2 } from "lucide-react";
import { failureOf } from "../api";
import { useDeleteImport } from "./useImports";

/** Lets go of a file and its rows, after asking. A run that takes it keeps it. */
export function DeleteImport({ id, name }: { id: string; name: string }) {
  const remove = useDeleteImport();
  const navigate = useNavigate();
  const go = () =>
    remove.mutate(id, {
      onSuccess: () => {
        notifications.show({ message: `${name.slice(0, 80)} is deleted.` });
        void navigate({ to: "/imports" });
      },
      onError: (error) => {
        const { problem, message } = failureOf(error);
        notifications.show({ color: "red", title: `Not deleted: ${problem.title}`, message });
      },
    });
  const ask = () =>
    modals.openConfirmModal({
      title: `Delete the import “${name.slice(0, 80)}”?`,
      closeButtonProps: { "aria-label": "Close" },
      children: <Text size="sm">Its rows are deleted. What runs made of them stays as it is.</Text>,
      labels: { confirm: "Delete import", cancel: "Keep it" },
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
