import { Button, Group, Text } from "@mantine/core";
import { Trash2 } from "lucide-react";
import { useId } from "react";
import { count } from "../../../format";
import { Section } from "../../../parts/Section";
import { useField } from "../../fields/form";
import { HiddenNotice } from "../../fields/HiddenNotice";
import { CodeField, LineProblems } from "./CodeField";
import { problemsOf, type Rendering } from "./draftRender";

const ASKS: Record<string, string> = {
  user: "Asks the model for the next message of the user side.",
  opening: "Asks the user side for the first message; without it, user does.",
  assistant: "Says how the assistant side answers.",
  script: "Asks for a whole conversation in one call.",
  judge: "Says how the judge looks at a conversation.",
  memory: "Asks what is worth remembering of a conversation.",
  roughen: "Asks for user turns as this persona would really type them.",
};

interface Props {
  segment: string;
  rendering: Rendering | undefined;
  /** Whether a mode needs it. */
  needed: boolean;
  onFocus: (field: string) => void;
}

/** One segment: its text, and what is wrong with it while it is typed. */
export function SegmentField({ segment, rendering, needed, onFocus }: Props) {
  const field = useField(`/segments/${segment}`, true);
  const described = useId();
  const text = typeof field.value === "string" ? field.value : "";
  const problems = text === "" ? [] : problemsOf(rendering, segment);
  return (
    <Section
      title={`Segment ${segment}`}
      beside={
        <Group gap="xs">
          <Text size="xs" c="dimmed">
            {count(text.length)} characters
          </Text>
          {!needed && (
            <Button
              size="compact-xs"
              variant="subtle"
              color="gray"
              leftSection={<Trash2 size={14} aria-hidden />}
              onClick={() => field.set(undefined)}
              aria-label={`Take segment ${segment} out`}
            >
              Take out
            </Button>
          )}
        </Group>
      }
    >
      <p className="minor">{ASKS[segment]}</p>
      <CodeField
        id={field.id}
        label={`Text of segment ${segment}`}
        describedBy={described}
        text={text}
        problems={problems}
        invalid={field.error !== undefined}
        onFocus={() => onFocus(field.id)}
        onChange={field.set}
      />
      {field.error && (
        <Text size="sm" c="var(--mantine-color-error)">
          {field.error}
        </Text>
      )}
      <LineProblems id={described} problems={problems} />
      <HiddenNotice text={text} />
    </Section>
  );
}
