import { Input, Select, TextInput } from "@mantine/core";
import { useMemo } from "react";
import { useField } from "../fields/form";
import { clock, WEEKDAYS } from "../prices";

/** When other rates hold: on which days, from when to when, by whose clock. */
export function WindowFields({ at }: { at: string }) {
  return (
    <div className="fields two">
      <Weekdays at={`${at}/weekdays`} />
      <Time at={`${at}/start`} label="From" />
      <Time at={`${at}/end`} label="To" />
      <Zone at={`${at}/zone`} />
    </div>
  );
}

function Weekdays({ at }: { at: string }) {
  const field = useField(at, true);
  const days = Array.isArray(field.value) ? field.value.map(Number) : [0, 1, 2, 3, 4, 5, 6];
  const toggle = (day: number) =>
    field.set(
      WEEKDAYS.map((_, other) => other).filter((other) =>
        other === day ? !days.includes(day) : days.includes(other),
      ),
    );
  return (
    <Input.Wrapper
      id={field.id}
      className="whole"
      label="Days on which it begins"
      labelElement="div"
      error={field.error}
    >
      <fieldset className="chips" id={field.id} tabIndex={-1}>
        <legend>Days on which it begins</legend>
        {WEEKDAYS.map((name, day) => (
          <button
            key={name}
            type="button"
            className="chip"
            aria-pressed={days.includes(day)}
            onClick={() => toggle(day)}
          >
            {name}
          </button>
        ))}
      </fieldset>
    </Input.Wrapper>
  );
}

function Time({ at, label }: { at: string; label: string }) {
  const field = useField(at);
  return (
    <TextInput
      id={field.id}
      label={label}
      description={field.help}
      required
      inputMode="numeric"
      placeholder="22:00"
      maxLength={15}
      value={clock(field.value)}
      error={field.error}
      onChange={({ currentTarget }) => field.set(currentTarget.value)}
    />
  );
}

function Zone({ at }: { at: string }) {
  const field = useField(at);
  const value = typeof field.value === "string" ? field.value : "UTC";
  const zones = useMemo(
    () => [...new Set(["UTC", value, ...Intl.supportedValuesOf("timeZone")])],
    [value],
  );
  return (
    <Select
      id={field.id}
      label="Time zone"
      description={field.help}
      searchable
      data={zones}
      limit={100}
      allowDeselect={false}
      value={value}
      error={field.error}
      nothingFoundMessage="No such time zone"
      onChange={(zone) => field.set(zone ?? "UTC")}
    />
  );
}
