import { Table, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { RunConfig } from "../../api";
import { healthInWords } from "../../config/judgeHealth";
import { optionWords } from "../../corpus/judging";
import { count, percent, plural } from "../../format";
import { Plain } from "../../parts/Plain";
import { Section } from "../../parts/Section";
import { TableBox } from "../../parts/TableBox";
import { isObject, type Json } from "../json";
import type { Kind } from "../kinds";
import { usd } from "../prices";
import { Facts } from "./facts";

export function RunConfigView({ of }: { of: RunConfig }) {
  const reads = of.mode === "import";
  const lengths = of.length_mix ?? [];
  const mix = lengths.map(({ share }) => share).reduce((sum, share) => sum + share, 0);
  return (
    <>
      <Section title={reads ? "What it takes" : "What it makes"}>
        <Facts
          facts={[
            ["Description", of.description ?? ""],
            ["Mode", of.mode],
            [
              "Target count",
              `${reads ? "at most " : ""}${plural(of.target_count, "conversation")}`,
            ],
            ["Run seed", String(of.seed ?? 1)],
            ["Threads", count(of.threads ?? 16)],
            ["Language", of.language ?? "en"],
            ["Prompt set", <Named key="set" kind="prompt-sets" name={of.prompt_set} />],
            [
              "Turns",
              lengths
                .map(({ turns, share }) => `${rangeWords(turns)} in ${percent(share / mix)}`)
                .join(", "),
            ],
            ["Retries of a step", count(of.retries ?? 3)],
            ["Spend cap", usd(of.spend_cap_usd) || "none"],
            ["Confirm runs estimated above", usd(of.confirm_above_usd) || "never"],
          ]}
        />
      </Section>
      {(!reads || (of.filter_lists ?? []).length > 0) && (
        <Section title={reads ? "What it is held against" : "Who speaks, and of what"}>
          <Mix title="Personas" kind="personas" entries={of.personas ?? []} />
          <Mix title="Voices" kind="voices" entries={of.voices ?? []} />
          <Mix title="Pools" kind="pools" entries={(of.pools ?? []).map((name) => ({ name }))} />
          <Mix
            title="Filter lists"
            kind="filter-lists"
            entries={(of.filter_lists ?? []).map((name) => ({ name }))}
          />
        </Section>
      )}
      <Models of={of} />
      <Quality of={of} />
    </>
  );
}

function rangeWords([fewest, most]: [number, number]): string {
  return fewest === most ? String(fewest) : `${fewest}-${most}`;
}

function Mix(props: { title: string; kind: Kind; entries: { name: string; weight?: number }[] }) {
  const { title, kind, entries } = props;
  const whole = entries.reduce((sum, { weight = 1 }) => sum + weight, 0);
  const uneven = entries.some(({ weight = 1 }) => weight !== (entries[0]?.weight ?? 1));
  if (entries.length === 0) return null;
  return (
    <>
      <h3 className="minor">
        {title} ({count(entries.length)})
      </h3>
      <ul className="names">
        {entries.map(({ name, weight = 1 }) => (
          <li key={name}>
            <Named kind={kind} name={name} /> {uneven && percent(weight / whole)}
          </li>
        ))}
      </ul>
    </>
  );
}

function Models({ of }: { of: RunConfig }) {
  const roles = Object.entries(of.roles ?? {}).filter(([, role]) => role);
  if (roles.length === 0) {
    return (
      <Section title="Models">
        <Text size="sm">No model is asked, so a run costs nothing.</Text>
      </Section>
    );
  }
  return (
    <Section title="Models">
      <TableBox label="Models">
        <Table verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              {["Role", "Model", "Backend", "Temperature", "Top p", "Longest answer"].map(
                (name) => (
                  <Table.Th key={name}>{name}</Table.Th>
                ),
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {roles.map(([name, role]) => (
              <Table.Tr key={name}>
                <Table.Th scope="row">{name}</Table.Th>
                <Table.Td>{role?.model}</Table.Td>
                <Table.Td>
                  <Named kind="backends" name={role?.backend ?? ""} />
                </Table.Td>
                <Table.Td>{role?.temperature ?? "model's own"}</Table.Td>
                <Table.Td>{role?.top_p ?? "model's own"}</Table.Td>
                <Table.Td>{count(role?.max_tokens ?? 512)} tokens</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </TableBox>
    </Section>
  );
}

const SCOPE_WORDS = {
  run: "what the run accepted",
  config: "what all runs of this config accepted",
  everything: "everything accepted",
};

const FLOOR_WORDS = {
  show: "only shown",
  pause: "the run pauses",
  stop: "the run stops",
};

function Quality({ of }: { of: RunConfig }) {
  const rules = Object.entries(of.rules ?? {});
  const { near_duplicate, scope, example_copy, distinct3_floor, below_floor } = of.diversity ?? {};
  return (
    <Section title="What is kept">
      <Facts
        facts={[
          ["Rules that differ from their defaults", rules.map(ruleWords).join("; ")],
          ["Near-duplicate above", said(near_duplicate, "0.7")],
          ["Near-duplicates of", SCOPE_WORDS[scope ?? "run"]],
          ["Copy of an example above", said(example_copy, "0.5")],
          ["Distinct-3 floor", said(distinct3_floor, "none")],
          ["Below the floor", FLOOR_WORDS[below_floor ?? "show"]],
          [
            "Judge",
            of.judge
              ? `at least ${of.judge.threshold} on ${(of.judge.scale ?? [1, 5]).join(" to ")}`
              : "none",
          ],
          ["Judges asked", of.judge ? judgesAsked(of.judge) : ""],
          ["A sick judge", of.judge ? healthInWords(of.judge.health) : ""],
          ["Other parts", partsWords(of as unknown as { [key: string]: Json })],
        ]}
      />
      {of.judge && (
        <ul className="prose">
          {of.judge.criteria.map(({ name, question, weight = 1, anchors = {} }) => (
            <li key={name}>
              <strong>{name}</strong>
              {weight !== 1 && ` (weight ${weight})`}: <Plain text={question} />
              {Object.entries(anchors)
                .sort(([one], [other]) => Number(other) - Number(one))
                .map(([score, looks]) => (
                  <div key={score}>
                    {score}: <Plain text={looks} />
                  </div>
                ))}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function judgesAsked(judge: NonNullable<RunConfig["judge"]>): string {
  const { samples = 1, reducer = "mean", panel = [], recheck_share = 0, cache = false } = judge;
  return optionWords({
    samples,
    reducer,
    panel: panel.map(({ backend, model }) => `${backend}/${model}`),
    comparison: judge.comparison?.example ?? null,
    recheck_share,
    cache,
  });
}

function ruleWords([name, rule]: [string, { enabled?: boolean; parameters?: object }]): string {
  if (rule.enabled === false) return `${name} off`;
  const parameters = Object.entries(rule.parameters ?? {}).map(([key, value]) => `${key} ${value}`);
  return parameters.length === 0 ? `${name} on` : `${name} with ${parameters.join(", ")}`;
}

function partsWords(config: { [key: string]: Json }): string {
  return ["memory", "roughen"]
    .filter((part) => isObject(config[part]))
    .map((part) => {
      const settings = Object.entries(config[part] as object).map(
        ([key, value]) => `${key} ${value}`,
      );
      return `${part} (${settings.join(", ").replaceAll("_", " ")})`;
    })
    .join("; ");
}

function said(value: number | null | undefined, otherwise: string): string {
  return value === null ? "off" : String(value ?? otherwise);
}

function Named({ kind, name }: { kind: Kind; name: string }): ReactNode {
  return (
    <Link to="/catalog/$kind/$name" params={{ kind, name }} className="text-link">
      {name}
    </Link>
  );
}
