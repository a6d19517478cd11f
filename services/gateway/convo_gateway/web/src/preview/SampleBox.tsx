import { Alert, Button, Group, Loader, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FlaskConical, TriangleAlert } from "lucide-react";
import { useRef, useState } from "react";
import {
  type EstimateAnswer,
  estimateSample,
  failureOf,
  listConversations,
  makeSample,
  type SampleStarted,
} from "../api";
import { money } from "../format";
import { StatusBadge } from "../parts/StatusBadge";
import { Failed } from "../parts/states";
import type { PlanOf } from "./usePlan";

const LOOK_MS = 700;
const WARNING = "#b54708";

/** Makes one conversation of the plan for real: the first click states the price, the second pays it. */
export function SampleBox({ plan, index }: { plan: PlanOf; index: number }) {
  const wanted = { ...plan, index };
  const [key, setKey] = useState(() => crypto.randomUUID());
  const sending = useRef(false); // the second click of a double click comes before anything is drawn anew
  const price = useMutation({
    mutationFn: async () => (await estimateSample({ body: wanted, throwOnError: true })).data,
  });
  const make = useMutation({
    mutationFn: async ({ estimate }: EstimateAnswer) => {
      const body = { ...wanted, confirm_estimate_micro: estimate.total?.expected ?? 0 };
      const headers = { "Idempotency-Key": key };
      return (await makeSample({ body, headers, throwOnError: true })).data;
    },
    onError: (error) => {
      setKey(crypto.randomUUID());
      if (failureOf(error).code === "needs-confirmation") price.mutate();
    },
    onSettled: () => {
      sending.current = false;
    },
  });
  const once = (work: () => void) => {
    if (sending.current) return;
    sending.current = true;
    work();
  };
  const ask = () =>
    once(() => price.mutate(undefined, { onSettled: () => (sending.current = false) }));
  const stated = price.data;
  if (make.data) return <Making sample={make.data} />;
  return (
    <section className="sample" aria-label="Sample">
      {price.error && <Failed error={price.error} what="The price of a sample" />}
      {make.error && <Failed error={make.error} what="The sample was not made" />}
      {stated ? (
        <>
          <Alert role="alert" color="orange" variant="outline" icon={<TriangleAlert aria-hidden />}>
            {priceWords(stated)} Nothing has been called yet.
          </Alert>
          <Group gap="xs" mt="xs">
            <Button
              color={WARNING}
              leftSection={<FlaskConical size={16} aria-hidden />}
              loading={make.isPending}
              onClick={() => once(() => make.mutate(stated))}
            >
              Make it for{" "}
              {stated.estimate.total
                ? `about ${money(stated.estimate.total.expected)}`
                : "an unknown price"}
            </Button>
            <Button variant="default" onClick={() => price.reset()}>
              Not now
            </Button>
          </Group>
        </>
      ) : (
        <Group gap="sm">
          <Button
            variant="default"
            leftSection={<FlaskConical size={16} aria-hidden />}
            loading={price.isPending}
            onClick={ask}
          >
            Make one real sample
          </Button>
          <Text size="sm" c="dimmed">
            States its price first.
          </Text>
        </Group>
      )}
    </section>
  );
}

function priceWords({ estimate: { total, unpriced } }: EstimateAnswer): string {
  if (!total) return `The price is unknown: none is known for ${unpriced.join(", ")}.`;
  const range =
    total.low === total.high ? "" : `, between ${money(total.low)} and ${money(total.high)}`;
  return `It is estimated at ${money(total.expected)}${range}.`;
}

/** A sample on its way, and the way to it. */
function Making({ sample }: { sample: SampleStarted }) {
  const { data } = useQuery({
    queryKey: ["conversations", "of-sample", sample.run],
    queryFn: async ({ signal }) => {
      // A list: the conversation itself cannot be read before its first call was asked for.
      const query = { run: [sample.run], limit: 1 };
      return (await listConversations({ query, signal, throwOnError: true })).data.items[0] ?? null;
    },
    refetchInterval: ({ state }) => (state.data && state.data.status !== "open" ? false : LOOK_MS),
  });
  const done = data != null && data.status !== "open";
  return (
    <section className="sample" aria-label="Sample" aria-busy={!done}>
      <Group gap="sm" role="status">
        {done ? <StatusBadge status={data.status} /> : <Loader size="xs" />}
        <Text size="sm">
          {done ? `The sample is made, for ${money(data.cost_micro)}.` : "Being made."}
        </Text>
        <Button
          variant={done ? "filled" : "default"}
          size="xs"
          renderRoot={(props) => (
            <Link
              to="/corpus/$conversation"
              params={{ conversation: sample.conversation }}
              {...props}
            />
          )}
        >
          Open the conversation
        </Button>
      </Group>
    </section>
  );
}
