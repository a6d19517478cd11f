import { Group, NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { useNow } from "../now";
import { type Days, dayOf, daysOf, type Preset, presetOf } from "./days";

interface Props {
  days: Days;
  onChange: (days: Days, replace?: boolean) => void;
}

type Choice = Preset | "any" | "between";

const CHOICES: { value: Choice; label: string }[] = [
  { value: "any", label: "Any day" },
  { value: "today", label: "Today" },
  { value: "week", label: "Last 7 days" },
  { value: "month", label: "Last 30 days" },
  { value: "between", label: "From day to day" },
];

/** When runs were started: one of a few spans, or a first and a last day. */
export function DayFilter({ days, onChange }: Props) {
  const today = dayOf(useNow());
  // The days that are chosen one by one; at others that one came back to it is forgotten.
  const [oneByOne, setOneByOne] = useState<string>();
  const some = days.from !== undefined || days.to !== undefined;
  const preset = oneByOne === inWords(days) ? "between" : presetOf(days, today);
  const chosen = preset ?? (some ? "between" : "any");
  const choose = (choice: Choice) => {
    setOneByOne(choice === "between" ? inWords(days) : undefined);
    if (choice === "any") onChange({ from: undefined, to: undefined });
    else if (choice !== "between") onChange({ to: undefined, ...daysOf(choice, today) });
  };
  const chooseDay = (part: Days) => {
    setOneByOne(inWords({ ...days, ...part }));
    onChange(part, true);
  };
  return (
    <>
      <NativeSelect
        aria-label="Started"
        value={chosen}
        data={CHOICES}
        onChange={({ currentTarget }) => choose(currentTarget.value as Choice)}
        w={{ base: "100%", xs: 160 }}
      />
      {chosen === "between" && (
        <Group gap="xs" wrap="nowrap">
          <Day name="First day, UTC" value={days.from} onChange={(from) => chooseDay({ from })} />
          <span aria-hidden>to</span>
          <Day name="Last day, UTC" value={days.to} onChange={(to) => chooseDay({ to })} />
        </Group>
      )}
    </>
  );
}

function inWords({ from, to }: Days): string {
  return `${from} to ${to}`;
}

function Day(props: {
  name: string;
  value: string | undefined;
  onChange: (day: string | undefined) => void;
}) {
  const { name, value, onChange } = props;
  return (
    <TextInput
      type="date"
      aria-label={name}
      title={name}
      value={value ?? ""}
      max="9999-12-31"
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
    />
  );
}
