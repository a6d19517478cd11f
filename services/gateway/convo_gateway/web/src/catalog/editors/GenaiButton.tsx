import { Button, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { BookDown } from "lucide-react";
import { failureOf } from "../../api";
import { useField, useForm } from "../fields/form";
import type { Json } from "../json";
import { get } from "../objects";

interface Proposed {
  listed_as: string;
  prices: Json;
  source: string;
  context_tokens: number | null;
  note: string;
}

/** Fills in the prices of a model from a public list; a person looks them over and saves them. */
export function GenaiButton(props: { at: string; modelAt: string; contextAt: string }) {
  const { at, modelAt, contextAt } = props;
  const { set } = useForm();
  const model = useField(modelAt).value;
  const name = typeof model === "string" ? model.trim() : "";
  const proposal = useMutation({
    mutationFn: () => get<Proposed>("/catalog/prices", { model: name }),
    onSuccess: (found) => {
      set(at, found.prices);
      if (found.context_tokens !== null) set(contextAt, found.context_tokens);
    },
  });
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<BookDown size={14} aria-hidden />}
        loading={proposal.isPending}
        aria-disabled={name === ""}
        onClick={() => name !== "" && proposal.mutate()}
      >
        Fill from genai-prices
      </Button>
      <Text size="sm" c="dimmed" role="status">
        {name === "" && "Write the model's name first"}
        {proposal.data && `As ${proposal.data.listed_as}: ${proposal.data.source}`}
        {proposal.data?.note && `. ${proposal.data.note}`}
      </Text>
      {proposal.error && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {failureOf(proposal.error).message}
        </Text>
      )}
    </>
  );
}
