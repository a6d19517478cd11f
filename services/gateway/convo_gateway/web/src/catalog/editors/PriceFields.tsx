import { Button, Group, Text } from "@mantine/core";
import { TriangleAlert } from "lucide-react";
import { useField, useForm } from "../fields/form";
import { NumberField } from "../fields/NumberField";
import { RowsField } from "../fields/RowsField";
import { TextField } from "../fields/TextField";
import { isObject } from "../json";
import { RATES, windowWords } from "../prices";
import { helpAt } from "../schema";
import { GenaiButton } from "./GenaiButton";
import { blankBand, blankRates, blankWindow } from "./shapes";
import { WindowFields } from "./WindowFields";

/** What a model costs; or that nobody knows. */
export function PriceFields(props: { at: string; modelAt: string; contextAt: string }) {
  const { at, modelAt, contextAt } = props;
  const field = useField(at);
  if (!isObject(field.value)) {
    return (
      <div id={field.id} tabIndex={-1} className="no-prices">
        <p className="warn changed-since">
          <TriangleAlert size={14} aria-hidden />
          The price is unknown, which is not free: estimates and costs of this model are unknown
          too.
        </p>
        <Group gap="xs">
          <GenaiButton at={at} modelAt={modelAt} contextAt={contextAt} />
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => field.set({ rates: blankRates(), bands: [], off_peak: [], source: "" })}
          >
            Write the prices
          </Button>
        </Group>
      </div>
    );
  }
  return (
    <fieldset className="rows-row" id={field.id} tabIndex={-1}>
      <legend>Prices, US dollars</legend>
      <RateFields at={`${at}/rates`} />
      <Bands at={`${at}/bands`} />
      <h4 className="minor">Other rates at some hours</h4>
      <RowsField
        at={`${at}/off_peak`}
        one="window"
        make={blankWindow}
        title={(offPeak) => windowWords(offPeak)}
      >
        {(offPeak) => (
          <>
            <WindowFields at={offPeak} />
            <RateFields at={`${offPeak}/rates`} />
            <Bands at={`${offPeak}/bands`} />
          </>
        )}
      </RowsField>
      <TextField
        at={`${at}/source`}
        label="Source"
        help="Where the prices come from, with the date."
      />
      <Group gap="xs" mt="sm">
        <GenaiButton at={at} modelAt={modelAt} contextAt={contextAt} />
        <Button variant="default" size="compact-sm" onClick={() => field.set(null)}>
          Prices are unknown
        </Button>
      </Group>
    </fieldset>
  );
}

function Bands({ at }: { at: string }) {
  return (
    <>
      <h4 className="minor">Other rates above a prompt size</h4>
      <RowsField at={at} one="band" make={blankBand}>
        {(band) => (
          <>
            <NumberField
              at={`${band}/above_input_tokens`}
              label="Prompt above"
              unit="tokens"
              required
            />
            <RateFields at={`${band}/rates`} />
          </>
        )}
      </RowsField>
    </>
  );
}

/** One row of the price table; a rate that the gateway does not know of is not asked for. */
function RateFields({ at }: { at: string }) {
  const { schema } = useForm();
  const { error, id } = useField(at);
  const rates = RATES.filter(
    ({ key }) => key !== "cache_write" || helpAt(schema, `${at}/${key}`) !== undefined,
  );
  return (
    <div id={id} tabIndex={-1} className="rates">
      {rates.map(({ key, name, per }) => (
        <NumberField
          key={key}
          at={`${at}/${key}`}
          label={name}
          help={`$ per ${per}`}
          required={key === "input" || key === "output"}
          placeholder={key.startsWith("cache") ? "as input" : key === "per_request" ? "0" : ""}
        />
      ))}
      {error && (
        <Text size="sm" c="var(--mantine-color-error)">
          {error}
        </Text>
      )}
    </div>
  );
}
