import { Alert, Button, Drawer, Group, List, Text } from "@mantine/core";
import { ChevronLeft, ChevronRight } from "lucide-react";
import type { PlannedConversation, PreviewedPrompt, PreviewedPrompts } from "../api";
import { count, plural } from "../format";
import { Plain } from "../parts/Plain";
import { Failed, Loading } from "../parts/states";
import { SampleBox } from "./SampleBox";
import { type PlanOf, usePromptsOf } from "./usePlan";

interface Props {
  plan: PlanOf;
  index: number;
  total: number;
  onGo: (index: number) => void;
  onClose: () => void;
}

/** One conversation of the plan: what was drawn for it, and everything that models would be sent. */
export function PromptsPanel({ plan, index, total, onGo, onClose }: Props) {
  const { data, error, isPending, refetch } = usePromptsOf(plan, index);
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="min(760px, 100%)"
      title={<strong>Conversation {count(index)}</strong>}
      closeButtonProps={{ "aria-label": "Close" }}
      overlayProps={{ backgroundOpacity: 0.25 }}
      className="prompts-panel"
    >
      <Group gap="xs" mb="sm">
        <Button
          size="xs"
          variant="default"
          leftSection={<ChevronLeft size={16} aria-hidden />}
          disabled={index === 0}
          onClick={() => onGo(index - 1)}
        >
          Previous
        </Button>
        <Button
          size="xs"
          variant="default"
          rightSection={<ChevronRight size={16} aria-hidden />}
          disabled={index >= total - 1}
          onClick={() => onGo(index + 1)}
        >
          Next
        </Button>
      </Group>
      {isPending && <Loading what="the prompts" />}
      {error && <Failed error={error} what="Prompts" onRetry={() => void refetch()} />}
      {data && <Content key={index} plan={plan} index={index} prompts={data} />}
    </Drawer>
  );
}

function Content(props: { plan: PlanOf; index: number; prompts: PreviewedPrompts }) {
  const { plan, index } = props;
  const { conversation, prompts, problems, calls } = props.prompts;
  const tokens = prompts.reduce((sum, prompt) => sum + (prompt.tokens ?? 0), 0);
  return (
    <>
      <Drawn of={conversation} />
      <SampleBox plan={plan} index={index} />
      {problems.length > 0 && (
        <Alert
          role="alert"
          color="red"
          variant="outline"
          my="sm"
          className="failed"
          title="It cannot be made like this"
        >
          <List size="sm">
            {problems.map(({ segment, line, message }) => (
              <List.Item key={`${segment} ${line} ${message}`}>
                <strong>{segment}</strong>
                {line !== null && `, line ${line}`}: <Plain text={message} />
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Text size="sm" c="dimmed" mt="sm">
        {plural(calls, "call")} when it passes everything and nothing is tried again;{" "}
        {plural(prompts.length, "prompt")} of about {count(tokens)} tokens. Nothing was called for
        this. What only a run can know stands in ⟨brackets⟩.
      </Text>
      {prompts.map((prompt) => (
        <Prompt
          key={`${prompt.role} ${prompt.segment} ${prompt.turns.join()} ${prompt.compared_with}`}
          prompt={prompt}
          broken={problems.some(({ segment }) => segment === prompt.segment)}
        />
      ))}
    </>
  );
}

function Drawn({ of }: { of: PlannedConversation }) {
  const facts: [string, string][] = [
    ["Persona", of.persona],
    ["Voice", of.voice],
    ["Turns", String(of.turns)],
    ["Thread", of.visit > 1 ? `${count(of.thread)}, visit ${of.visit}` : count(of.thread)],
    ["Roughened", of.roughen ? "yes" : "no"],
    ["Seed", String(of.seed)],
    ...Object.entries(of.pools).map(([pool, value]): [string, string] => [`Pool ${pool}`, value]),
  ];
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd dir="auto">
            <Plain text={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Prompt({ prompt, broken }: { prompt: PreviewedPrompt; broken: boolean }) {
  const { role, segment, turns, text, tokens, beside, beside_tokens: besides, calls } = prompt;
  const compared = prompt.compared_with;
  return (
    <section className="planned-prompt">
      <h3>
        {role}
        {segment !== role && <span> segment {segment}</span>}
        {compared && <span> comparison with the example {compared}</span>}
        {turns.length > 0 && <span> {turnWords(turns)}</span>}
        {role === "judge" && calls > 1 && <span> {plural(calls, "call")}</span>}
        {tokens !== null && <span> about {plural(tokens, "token")}</span>}
      </h3>
      {text === null ? (
        <Text size="sm">
          {broken && !compared
            ? "It does not render; see above."
            : "The prompt set has no segment for it."}
        </Text>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
        <pre dir="auto" tabIndex={0}>
          <Plain text={text} />
        </pre>
      )}
      {beside && (
        <Text size="xs" c="dimmed">
          Sent along: {beside} (about {plural(besides, "token")}).
        </Text>
      )}
    </section>
  );
}

function turnWords(turns: number[]): string {
  const numbers = turns.map((turn) => turn + 1);
  const listed = numbers.length > 8 ? `${numbers.slice(0, 7).join(", ")} …` : numbers.join(", ");
  return `for turn${turns.length === 1 ? "" : "s"} ${listed}`;
}
