/** Which conversations the queue has: the filter that one came with, all of it or a sample. */
import { NativeSelect, NumberInput } from "@mantine/core";
import { Chips } from "../corpus/Chips";
import { PARTS, type Part, type ReviewSearch } from "./search";

const NAMES: Record<Part, string> = {
  reason: "reason",
  layer: "layer",
  persona: "persona",
  voice: "voice",
  run: "run",
  config: "run config",
};

interface Props {
  search: ReviewSearch;
  onChange: (part: ReviewSearch) => void;
}

export function Choice({ search, onChange }: Props) {
  return (
    <>
      <NativeSelect
        label="Which"
        value={search.per ?? ""}
        onChange={({ currentTarget }) =>
          onChange({ per: (currentTarget.value || undefined) as Part | undefined, at: undefined })
        }
      >
        <option value="">All, newest first</option>
        {PARTS.map((part) => (
          <option key={part} value={part}>
            A sample for each {NAMES[part]}
          </option>
        ))}
      </NativeSelect>
      {search.per && (
        <NumberInput
          label="Of each"
          min={1}
          max={1_000}
          w={90}
          value={Number(search.n ?? 10)}
          onChange={(n) =>
            onChange({ n: n === 10 || n === "" ? undefined : String(n), at: undefined })
          }
        />
      )}
      {search.per && (
        <NumberInput
          label="Seed"
          min={0}
          w={110}
          value={Number(search.seed ?? 1)}
          onChange={(seed) =>
            onChange({ seed: seed === 1 || seed === "" ? undefined : String(seed), at: undefined })
          }
        />
      )}
      <Chips
        search={search}
        counted={undefined}
        onChange={(part) => onChange({ ...part, at: undefined })}
      />
    </>
  );
}
