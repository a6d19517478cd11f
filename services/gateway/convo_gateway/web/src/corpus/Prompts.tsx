import { Text } from "@mantine/core";
import type { PromptUsed } from "../api";
import { Plain } from "../parts/Plain";
import { Failed, Loading } from "../parts/states";
import { usePrompts } from "./useConversation";

/** What the plan drew for it, and the prompts as they were sent. */
export function Prompts({ id }: { id: string }) {
  const { data, error, isPending } = usePrompts(id);
  if (isPending) return <Loading what="the prompts" />;
  if (data === undefined) return <Failed error={error} what="Prompts" />;
  const { drawn, prompts } = data;
  const facts: [string, string][] = [
    ["Persona", drawn.persona],
    ["Voice", drawn.voice],
    ["Planned turns", String(drawn.turns)],
    ["Seed", String(drawn.seed)],
    ...(drawn.visit > 1 ? [["Visit", String(drawn.visit)] as [string, string]] : []),
    ...(drawn.roughen ? [["User turns", "roughened"] as [string, string]] : []),
    ...Object.entries(drawn.pools).map(([pool, value]): [string, string] => [
      `Pool ${pool}`,
      value,
    ]),
  ];
  return (
    <>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Plain text={value} />
            </dd>
          </div>
        ))}
      </dl>
      {prompts.map((prompt) => (
        <section key={`${prompt.segment} ${prompt.turns.join()}`} className="prompt">
          <h3>
            {prompt.segment} <span>{sentTo(prompt)}</span>
          </h3>
          <pre dir="auto">
            <Plain text={prompt.text} />
          </pre>
        </section>
      ))}
      <Text size="xs" c="dimmed" mt="xs">
        Rendered again from what the run froze. The transcript, the form of the answer and the
        judge's rubric are added to it when it is sent.
      </Text>
    </>
  );
}

function sentTo({ role, segment, turns }: PromptUsed): string {
  if (turns.length === 0) return role === segment ? "once" : `to the ${role}`;
  const numbers = turns.map((turn) => turn + 1);
  const listed = numbers.length > 8 ? `${numbers.slice(0, 7).join(", ")} …` : numbers.join(", ");
  return `to the ${role}, for turn${turns.length === 1 ? "" : "s"} ${listed}`;
}
