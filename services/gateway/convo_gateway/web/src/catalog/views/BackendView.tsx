import { Code, Table, Text } from "@mantine/core";
import { TriangleAlert } from "lucide-react";
import type { BackendOutput, ModelOutput } from "../../api";
import { count } from "../../format";
import { Plain } from "../../parts/Plain";
import { Section } from "../../parts/Section";
import { TableBox } from "../../parts/TableBox";
import type { Json } from "../json";
import { RATES, rateWords, windowWords } from "../prices";
import { Facts } from "./facts";

const STRUCTURED = {
  json_schema: "JSON schema",
  json_object: "JSON without a schema",
  none: "neither schema nor JSON mode",
};

export function BackendView({ of }: { of: BackendOutput }) {
  return (
    <>
      <Section title="The API">
        <Facts
          facts={[
            ["Base URL", of.base_url],
            [
              "Key",
              of.key_env ? (
                <>
                  in the environment variable <Code>{of.key_env}</Code> of the services
                </>
              ) : (
                "none needed"
              ),
            ],
            ["Deadline of a call", `${of.timeout_s ?? 120} s`],
            ["Streamed answers", of.stream ? "yes" : "no"],
            ["Structured answers", STRUCTURED[of.structured ?? "json_schema"]],
            ["Limit of the answer is called", of.token_limit_field ?? "max_tokens"],
          ]}
        />
      </Section>
      {of.models.map((model) => (
        <ModelSection key={model.name} model={model} />
      ))}
    </>
  );
}

function ModelSection({ model }: { model: ModelOutput }) {
  return (
    <Section title={model.name}>
      <Facts
        facts={[
          ["Most calls at once", count(model.max_concurrency ?? 32)],
          ["Context", `${count(model.context_tokens ?? 128_000)} tokens`],
        ]}
      />
      {model.prices ? (
        <PriceTable prices={model.prices as unknown as { [key: string]: Json }} />
      ) : (
        <p className="warn changed-since">
          <TriangleAlert size={14} aria-hidden />
          The price is unknown, which is not free: estimates and costs of it are unknown too.
        </p>
      )}
    </Section>
  );
}

/** US dollars per million tokens: always, above a prompt size, and inside windows. */
export function PriceTable({ prices }: { prices: { [key: string]: Json } }) {
  const bands = listOf(prices.bands);
  const windows = listOf(prices.off_peak);
  const rows: PriceRow[] = [
    [bands.length + windows.length === 0 ? "Always" : "Otherwise", prices.rates],
    ...bandRows("", bands),
    ...windows.flatMap((offPeak): PriceRow[] => [
      [windowWords(offPeak), offPeak.rates],
      ...bandRows(`${windowWords(offPeak)}, `, listOf(offPeak.bands)),
    ]),
  ];
  return (
    <>
      <TableBox label="Prices">
        <Table verticalSpacing={4} className="prices">
          <Table.Caption>US dollars per million tokens, and for each request</Table.Caption>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>When</Table.Th>
              {RATES.map(({ key, name }) => (
                <Table.Th key={key}>{name}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(([when, rates]) => (
              <Table.Tr key={when}>
                <Table.Th scope="row">{when}</Table.Th>
                {RATES.map(({ key }) => (
                  <Table.Td key={key}>{rateWords(rates, key)}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </TableBox>
      {prices.source && (
        <Text size="xs" c="dimmed" mt={4}>
          Source: <Plain text={String(prices.source)} />
        </Text>
      )}
    </>
  );
}

type PriceRow = [when: string, rates: Json | undefined];

function bandRows(when: string, bands: { [key: string]: Json }[]): PriceRow[] {
  return bands.map((band) => [
    `${when}prompt above ${count(Number(band.above_input_tokens))} tokens`,
    band.rates,
  ]);
}

function listOf(value: Json | undefined): { [key: string]: Json }[] {
  return Array.isArray(value) ? (value as { [key: string]: Json }[]) : [];
}
