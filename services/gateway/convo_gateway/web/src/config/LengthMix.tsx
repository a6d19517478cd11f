import { Button, CloseButton } from "@mantine/core";
import { Plus } from "lucide-react";
import { useRef } from "react";
import { isObject, type Json } from "../catalog/json";
import { useDerived, useField, useProblemsUnder } from "../parts/form/context";
import { NumberField } from "../parts/form/fields";
import { fieldId } from "../parts/form/focus";
import { textAt } from "../parts/form/problems";
import { ShareColumns } from "../parts/ShareBars";
import { modeOf } from "./body";
import { distribution, type LengthBar, meanTurns } from "./lengths";
import { sharesOf, weightOf } from "./shares";

const AT = "/length_mix";

/** How long conversations are: ranges of turns with their shares, and the picture of what follows. */
export function LengthMix() {
  const { value, error, set, id } = useField(AT);
  const rows = Array.isArray(value) ? value : [];
  const shares = sharesOf(rows.map((row) => weightOf(row, "share")));
  const list = useRef<HTMLOListElement>(null);
  const mode = useDerived(modeOf);
  const bars = distribution(value, mode);
  const add = () => {
    set([...rows, nextRow(rows)]);
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>("li:last-child input")?.focus(),
    );
  };
  return (
    <fieldset className="plain" id={id} tabIndex={-1} aria-label="Length mix">
      {error && <p className="field-error">{error}</p>}
      <ol className="length-rows" ref={list}>
        {rows.map((_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
          <LengthRow key={row} row={row} share={shares[row]} only={rows.length === 1} />
        ))}
      </ol>
      <Button
        size="xs"
        variant="default"
        leftSection={<Plus size={14} aria-hidden />}
        onClick={add}
      >
        Add a range
      </Button>
      {bars.length > 0 && (
        <div className="length-picture">
          <ShareColumns
            dimension="Turns"
            summary={summary(bars)}
            bars={bars.map(({ turns, share }) => ({
              name: String(turns),
              share,
              said: `${(share * 100).toFixed(1)}\u00a0%`,
            }))}
          />
          <p className="minor">
            {meanTurns(bars).toFixed(1)} turns on average
            {mode !== "scripted" && "; a conversation ends with the assistant, so turns are even"}
          </p>
        </div>
      )}
    </fieldset>
  );
}

function LengthRow({
  row,
  share,
  only,
}: {
  row: number;
  share: string | undefined;
  only: boolean;
}) {
  const at = `${AT}/${row}`;
  const { set, id } = useField(at);
  const problems = useProblemsUnder(at);
  const whole = textAt(problems, at) ?? textAt(problems, `${at}/turns`);
  const nth = `of range ${row + 1}`;
  return (
    <li className="length-row" id={id} tabIndex={-1}>
      <NumberField at={`${at}/turns/0`} whole label="From" aria-label={`Fewest turns ${nth}`} />
      <NumberField at={`${at}/turns/1`} whole label="To" aria-label={`Most turns ${nth}`} />
      <NumberField at={`${at}/share`} label="Share" aria-label={`Share ${nth}`} />
      <span className="length-share">{share === undefined ? "–" : `${share}\u00a0%`}</span>
      <CloseButton
        aria-label={`Remove range ${row + 1}`}
        disabled={only}
        onClick={() => set(undefined)}
      />
      {whole && <p className="field-error">{whole}</p>}
      <span id={fieldId(`${at}/turns`)} tabIndex={-1} />
    </li>
  );
}

/** A range that goes on where the last one ends. */
function nextRow(rows: readonly Json[]): Json {
  const last = rows.at(-1);
  const high = isObject(last) && Array.isArray(last.turns) ? Number(last.turns[1]) : 0;
  const low = Number.isInteger(high) && high > 0 ? Math.min(high + 2, 400) : 2;
  return { turns: [low, Math.min(low + 2, 400)], share: 1 };
}

function summary(bars: LengthBar[]): string {
  const told = bars
    .slice(0, 20)
    .map(({ turns, share }) => `${turns} turns ${(share * 100).toFixed(1)} %`);
  const more = bars.length > 20 ? `, and ${bars.length - 20} more` : "";
  return `Share of conversations by number of turns: ${told.join(", ")}${more}`;
}
