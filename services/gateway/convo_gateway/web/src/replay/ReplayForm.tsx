import { Button, NativeSelect, SimpleGrid, Text, Textarea } from "@mantine/core";
import { FlaskConical } from "lucide-react";
import { type FormEvent, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { Failure } from "../api";
import type { Json } from "../catalog/json";
import { isObject } from "../catalog/json";
import { Rules } from "../config/Rules";
import { DraftProvider, useField } from "../parts/form/context";
import { Draft } from "../parts/form/draft";
import { NumberField, ORDER } from "../parts/form/fields";
import { NameSelect } from "../parts/form/NameSelect";
import type { Problem } from "../parts/form/problems";
import { Section } from "../parts/Section";
import { Failed } from "../parts/states";
import { type Base, changesOf, formOf, wordsOf } from "./settings";
import "../parts/form/form.css";
import "../config/config.css";

type Part = { [key: string]: Json };

interface Props {
  base: Base;
  scale: readonly [number, number] | undefined;
  /** What the address or a replay says is changed. */
  changes: Part;
  failure: Failure | undefined;
  busy: boolean;
  onConfig: (config: string | undefined) => void;
  onTry: (changes: Part) => void;
}

const EVERYWHERE = () => true;
const NOWHERE = () => {};

/** What decides verdicts, as the run had it, to be changed. */
export function ReplayForm(props: Props) {
  const { base, scale, changes, failure, busy, onConfig, onTry } = props;
  const config = typeof changes.config === "string" ? changes.config : "";
  const [draft] = useState(() => new Draft({ ...formOf(base, changes), config }));
  const problems = useMemo(() => problemsOf(failure), [failure]);
  const made = useSyncExternalStore(draft.subscribe, () =>
    JSON.stringify({ ...(config && { config }), ...changesOf(base, draft.value) }),
  );
  const words = wordsOf(JSON.parse(made) as Part);
  const chosen = useSyncExternalStore(draft.subscribe, () => draft.part("/config"));
  useEffect(() => {
    // Another config makes another form.
    if (typeof chosen === "string" && chosen !== config) onConfig(chosen || undefined);
  }, [chosen, config, onConfig]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (words.length > 0) onTry(JSON.parse(made) as Part);
  };
  return (
    <form onSubmit={submit} aria-label="Other settings" className="replay-form">
      <DraftProvider draft={draft} problems={problems} says={EVERYWHERE} touch={NOWHERE}>
        <Section title="Judge and limits">
          <SimpleGrid cols={{ base: 1, xs: 2, md: 1, lg: 2 }} spacing="sm">
            <Start />
            {scale ? (
              <NumberField
                at="/threshold"
                label="Judge threshold"
                description={`A score under it rejects; scores go from ${scale[0]} to ${scale[1]}. Empty: no judge`}
              />
            ) : (
              <Text size="sm" c="dimmed">
                The run had no judge, so there are no scores.
              </Text>
            )}
            <NumberField
              at="/near_duplicate"
              label="Near-duplicate limit"
              description="Similarity above which a conversation is too near; over 0.3, at most 1. Empty: off"
            />
            <NumberField
              at="/example_copy"
              label="Copy limit"
              description="Share of an example above which a conversation is a copy. Empty: off"
            />
          </SimpleGrid>
        </Section>
        {base.lists.length > 0 && (
          <Section title="Filter lists">
            {base.lists.map((name) => (
              <List key={name} name={name} />
            ))}
          </Section>
        )}
        <Section title="Rules">
          <Text size="sm" c="dimmed" mb="xs">
            A rule that you change looks at every conversation again. Reset takes a rule's own
            defaults, which need not be what the run had.
          </Text>
          <Rules />
        </Section>
      </DraftProvider>
      <div className="replay-bar">
        {failure && problems.length === 0 && <Failed error={failure} what="The replay" />}
        <Unseen problems={problems} base={base} />
        <p className="replay-words" role="status">
          {words.length === 0 ? "Nothing is changed yet." : words.join("; ")}
        </p>
        <Button
          type="submit"
          leftSection={<FlaskConical size={16} aria-hidden />}
          disabled={words.length === 0}
          loading={busy}
        >
          See what flips
        </Button>
      </div>
    </form>
  );
}

/** What the changes are told from. */
function Start() {
  const { value, set } = useField("/config");
  const config = typeof value === "string" ? value : "";
  const [choosing, setChoosing] = useState(config !== "");
  return (
    <div className="replay-start">
      <NativeSelect
        inputWrapperOrder={ORDER}
        label="Start from"
        data={[
          { value: "run", label: "The run's own settings" },
          { value: "config", label: "A run config as it stands today" },
        ]}
        value={choosing ? "config" : "run"}
        onChange={({ currentTarget }) => {
          setChoosing(currentTarget.value === "config");
          if (currentTarget.value === "run") set("");
        }}
      />
      {choosing && <NameSelect at="/config" kind="run-configs" label="Run config" mt="xs" />}
    </div>
  );
}

const CHOICES = [
  { value: "run", label: "As the run froze it" },
  { value: "latest", label: "As it stands today" },
  { value: "left_out", label: "Left out" },
];

function List({ name }: { name: string }) {
  const at = `/filter_lists/${name}`;
  const { id, value, set, error } = useField(at);
  const add = useField(`${at}/add`);
  const one = isObject(value) ? value : {};
  const choice = one.left_out === true ? "left_out" : one.latest === true ? "latest" : "run";
  const phrases = Array.isArray(one.add) ? one.add.map(String) : [];
  const [typed, setTyped] = useState(phrases.join("\n"));
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" className="replay-list">
      <NativeSelect
        inputWrapperOrder={ORDER}
        id={id}
        label={name}
        data={CHOICES}
        value={choice}
        error={error}
        onChange={({ currentTarget: { value: chosen } }) =>
          set({
            ...(chosen === "latest" && { latest: true }),
            ...(chosen === "left_out" && { left_out: true }),
            ...(phrases.length > 0 && { add: phrases }),
          })
        }
      />
      {choice !== "left_out" && (
        <Textarea
          inputWrapperOrder={ORDER}
          label={`Phrases to add to ${name}`}
          description="One a line"
          autosize
          minRows={1}
          maxRows={8}
          value={typed}
          error={add.error}
          onChange={({ currentTarget: { value: text } }) => {
            setTyped(text);
            const lines = text.split("\n").map((line) => line.trim());
            const said = [...new Set(lines.filter((line) => line !== ""))];
            add.set(said.length > 0 ? said : undefined);
          }}
        />
      )}
    </SimpleGrid>
  );
}

/** Problems that no field here shows. */
function Unseen({ problems, base }: { problems: Problem[]; base: Base }) {
  const shown = ["/threshold", "/near_duplicate", "/example_copy", "/rules", "/config"];
  const lists = base.lists.map((name) => `/filter_lists/${name}`);
  const unseen = problems.filter(
    ({ pointer }) => ![...shown, ...lists].some((at) => pointer.startsWith(at)),
  );
  return unseen.map(({ message, pointer }) => (
    <p key={`${pointer} ${message}`} className="field-error">
      {message}
    </p>
  ));
}

function problemsOf(failure: Failure | undefined): Problem[] {
  return (failure?.problem.errors ?? []).map(({ detail, pointer }) => ({
    message: detail,
    pointer: pointer ?? "",
    severity: "error",
  }));
}
