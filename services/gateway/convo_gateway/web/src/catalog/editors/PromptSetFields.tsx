import { Button, Group, Stack, Text } from "@mantine/core";
import { Plus } from "lucide-react";
import { useCallback, useRef, useState } from "react";
import { Section } from "../../parts/Section";
import { SomeField } from "../fields/choices";
import { useField, useForm } from "../fields/form";
import { TextField } from "../fields/TextField";
import { isObject } from "../json";
import { wordsInside } from "../schema";
import { NameField } from "./NameField";
import type { Cast } from "./prompts/draftRender";
import { ExamplesField } from "./prompts/ExamplesField";
import { RenderPanel } from "./prompts/RenderPanel";
import { SegmentField } from "./prompts/SegmentField";
import { useNames, useRendering } from "./prompts/useRendering";
import { insertInto, Variables } from "./prompts/Variables";

const MODES = ["scripted", "dialogue", "sessions"];
const SEGMENTS = ["user", "opening", "assistant", "script", "judge", "memory", "roughen"];
const NEEDED: Record<string, readonly string[]> = {
  scripted: ["script"],
  dialogue: ["user", "assistant"],
  sessions: ["user", "assistant"],
};
const FIRST_CAST: Cast = {
  persona: undefined,
  voice: undefined,
  values: {},
  mode: undefined,
  turns: 6,
  turn: 1,
  seed: 1,
};

/** A prompt set: its segments on one side; variables and what would be sent on the other. */
export function PromptSetFields({ isNew }: { isNew: boolean }) {
  const { value: draft, schema } = useForm();
  const pools = useNames("pools");
  const personas = useNames("personas");
  const voices = useNames("voices");
  const [chosen, setCast] = useState<Cast>(FIRST_CAST);
  const cast = useCast(chosen, personas, voices);
  const modes = useModes();
  const { rendering, error, behind, used } = useRendering(draft, cast, pools);
  const last = useRef<string>("");
  const focused = useCallback((field: string) => {
    last.current = field;
  }, []);
  const insert = (text: string) => {
    const field =
      document.getElementById(last.current) ?? document.querySelector(".segment textarea");
    if (field instanceof HTMLTextAreaElement) insertInto(field, text);
  };
  return (
    <div className="prompt-editor">
      <Stack gap="md" className="prompt-writing">
        <Section title="What it is for">
          <div className="fields">
            <NameField isNew={isNew} />
            <TextField at="/description" label="Description" long help="What it is for." />
            <SomeField
              at="/modes"
              label="Modes"
              words={wordsInside(schema, "/modes") ?? MODES}
              onChange={modes.addNeeded}
            />
          </div>
        </Section>
        {modes.present.map((segment) => (
          <SegmentField
            key={segment}
            segment={segment}
            rendering={rendering}
            needed={modes.needed.has(segment)}
            onFocus={focused}
          />
        ))}
        <AddSegment present={modes.present} onAdd={modes.add} />
        <ExamplesField />
      </Stack>
      <Stack gap="md" className="prompt-beside">
        <Variables pools={pools} onInsert={insert} />
        <RenderPanel
          cast={cast}
          personas={personas}
          voices={voices}
          modes={modes.chosen}
          pools={used}
          rendering={rendering}
          error={error}
          behind={behind}
          onCast={(part) => setCast((before) => ({ ...before, ...part }))}
        />
      </Stack>
    </div>
  );
}

/** The cast with the first persona and voice of the catalog where none is chosen. */
function useCast(chosen: Cast, personas: string[], voices: string[]): Cast {
  const persona = chosen.persona ?? personas[0];
  const voice = chosen.voice ?? voices[0];
  const kept = useRef(chosen);
  const next = { ...chosen, persona, voice };
  if (JSON.stringify(kept.current) !== JSON.stringify(next)) kept.current = next;
  return kept.current;
}

/** The segments that there are, and those that the modes need. */
function useModes() {
  const modes = useField("/modes").value;
  const { value, set } = useField("/segments");
  const segments = isObject(value) ? value : {};
  const chosen = Array.isArray(modes) ? modes.map(String) : [];
  const order = [...SEGMENTS, ...Object.keys(segments).filter((name) => !SEGMENTS.includes(name))];
  return {
    chosen,
    present: order.filter((segment) => Object.hasOwn(segments, segment)),
    needed: new Set(chosen.flatMap((mode) => NEEDED[mode] ?? [])),
    add: (segment: string) => set({ ...segments, [segment]: "" }),
    addNeeded: (next: string[]) => {
      const wanted = next.flatMap((mode) => NEEDED[mode] ?? []);
      set({ ...Object.fromEntries(wanted.map((segment) => [segment, ""])), ...segments });
    },
  };
}

function AddSegment(props: { present: string[]; onAdd: (segment: string) => void }) {
  const { schema } = useForm();
  const known = wordsInside(schema, "/segments") ?? SEGMENTS;
  const missing = SEGMENTS.filter((name) => known.includes(name) && !props.present.includes(name));
  if (missing.length === 0) return null;
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed">
        Add a segment
      </Text>
      {missing.map((segment) => (
        <Button
          key={segment}
          size="compact-sm"
          variant="default"
          leftSection={<Plus size={14} aria-hidden />}
          onClick={() => props.onAdd(segment)}
        >
          {segment}
        </Button>
      ))}
    </Group>
  );
}
