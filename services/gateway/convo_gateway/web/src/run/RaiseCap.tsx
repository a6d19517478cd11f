import { Button, Group, Text, TextInput } from "@mantine/core";
import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { CircleDollarSign } from "lucide-react";
import { type FormEvent, useState } from "react";
import { changeRun, failureOf } from "../api";
import { money } from "../format";
import { dollars } from "../parts/dollars";
import { runKey } from "./useRun";

interface Props {
  run: string;
  /** The cap as it is; null for none. */
  capMicro: number | null;
  spentMicro: number | null;
}

/** Asks for a higher spend cap for a run that is paused for it. */
export function RaiseCap(props: Props) {
  const ask = () =>
    modals.open({
      title: <strong>Raise the spend cap</strong>,
      closeButtonProps: { "aria-label": "Close" },
      children: <CapForm {...props} />,
    });
  return (
    <Button
      variant="default"
      leftSection={<CircleDollarSign size={16} aria-hidden />}
      onClick={ask}
      aria-haspopup="dialog"
    >
      Raise cap
    </Button>
  );
}

function CapForm({ run, capMicro, spentMicro }: Props) {
  const [text, setText] = useState("");
  const [tried, setTried] = useState(false);
  const change = useChange(run);
  const amount = dollars(text);
  const failure = change.error ? failureOf(change.error) : undefined;
  const wrong = tried && !amount ? "An amount in US dollars, such as 25" : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (amount) change.mutate(amount);
  };
  return (
    <form onSubmit={submit} noValidate>
      <TextInput
        label="Spend cap (USD)"
        description={`${money(capMicro)} now; ${money(spentMicro)} is spent`}
        inputMode="decimal"
        data-autofocus
        value={text}
        error={wrong ?? failure?.at("spend_cap_usd") ?? failure?.problem.detail}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Text size="sm" c="dimmed" mt="xs">
        The run stays paused until it is resumed.
      </Text>
      <Group justify="flex-end" mt="md" gap="xs">
        <Button variant="default" onClick={() => modals.closeAll()}>
          Keep it
        </Button>
        <Button type="submit" loading={change.isPending}>
          Set the cap
        </Button>
      </Group>
    </form>
  );
}

function useChange(run: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (amount: number) =>
      (await changeRun({ path: { run }, body: { spend_cap_usd: amount }, throwOnError: true }))
        .data,
    onSuccess: (_, amount) => {
      modals.closeAll();
      notifications.show({
        message: `The spend cap is ${money(amount * 1_000_000)} now; resume the run to go on`,
      });
    },
    onSettled: () => cache.invalidateQueries({ queryKey: runKey(run) }),
  });
}
