import { Paper, Text } from "@mantine/core";
import { Bot, User } from "lucide-react";
import type { PromptSet } from "../../api";
import { count, plural } from "../../format";
import { Plain } from "../../parts/Plain";
import { Section } from "../../parts/Section";
import { Facts } from "./facts";
import { TemplateText } from "./TemplateText";

export function PromptSetView({ of }: { of: PromptSet }) {
  const examples = of.examples ?? [];
  return (
    <>
      <Section title="What it is for">
        <Facts
          facts={[
            ["Description", of.description ?? ""],
            ["Modes", of.modes.join(", ")],
          ]}
        />
      </Section>
      {Object.entries(of.segments).map(([segment, text]) => (
        <Section
          key={segment}
          title={`Segment ${segment}`}
          beside={
            <Text size="xs" c="dimmed">
              {count(text.length)} characters
            </Text>
          }
        >
          <TemplateText label={`Text of ${segment}`} text={text} />
        </Section>
      ))}
      {examples.length > 0 && (
        <Section title={plural(examples.length, "example")}>
          {examples.map(({ name, turns }) => (
            <details key={name} className="example" open={examples.length <= 2}>
              <summary>
                {name}{" "}
                <Text span size="xs" c="dimmed">
                  {plural(turns.length, "turn")}
                </Text>
              </summary>
              <ExampleTurns turns={turns} />
            </details>
          ))}
        </Section>
      )}
    </>
  );
}

function ExampleTurns({ turns }: { turns: string[] }) {
  return (
    <ol className="turns">
      {turns.map((text, at) => {
        const role = at % 2 === 0 ? "user" : "assistant";
        const Icon = role === "user" ? User : Bot;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a turn has nothing but its number
          <Paper key={at} component="li" withBorder p="sm" className="turn" data-role={role}>
            <div className="turn-head">
              <span className="turn-role">
                <Icon size={14} aria-hidden />
                {role}
              </span>
              <span className="turn-number">{at + 1}</span>
            </div>
            <div className="turn-text" dir="auto">
              <Plain text={text} />
            </div>
          </Paper>
        );
      })}
    </ol>
  );
}
