import { Button, Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { Trash2 } from "lucide-react";
import { failureOf } from "../api";

/** A mutation that deletes: only what the button needs of it. */
interface Removal<Key> {
  isPending: boolean;
  mutate: (key: Key, on: { onSuccess: () => void; onError: (error: unknown) => void }) => void;
}

/** Deletes after asking; says what became of it, and calls `gone` where it is deleted. */
export function DeleteButton<Key>(props: {
  /** What it is called in the middle of a sentence, such as "verdict set loose". */
  what: string;
  /** Its kind alone, for the button of the dialog. */
  kind: string;
  /** What goes, and what stays. */
  consequence: string;
  removal: Removal<Key>;
  target: Key;
  gone: () => void;
}) {
  const { what, kind, consequence, removal, target, gone } = props;
  const remove = () =>
    removal.mutate(target, {
      onSuccess: () => {
        notifications.show({ message: `${what[0]?.toUpperCase()}${what.slice(1)} is deleted.` });
        gone();
      },
      onError: (error) => {
        const { problem, message } = failureOf(error);
        notifications.show({ color: "red", title: `Not deleted: ${problem.title}`, message });
      },
    });
  const ask = () =>
    modals.openConfirmModal({
      title: `Delete the ${what}?`,
      closeButtonProps: { "aria-label": "Close" },
      children: <Text size="sm">{consequence}</Text>,
      labels: { confirm: `Delete ${kind}`, cancel: "Keep it" },
      confirmProps: { color: "red" },
      onConfirm: remove,
    });
  return (
    <Button
      variant="default"
      loading={removal.isPending}
      leftSection={<Trash2 size={16} aria-hidden />}
      onClick={ask}
    >
      Delete
    </Button>
  );
}
