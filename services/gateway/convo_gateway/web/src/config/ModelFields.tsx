import { Select } from "@mantine/core";
import { useField, usePart } from "../parts/form/context";
import { NumberField, ORDER } from "../parts/form/fields";
import { textOf } from "../parts/form/numbers";
import type { Backends } from "./backends";

/** Which model it is, and how it samples. */
export function ModelFields({ at, backends }: { at: string; backends: Backends | undefined }) {
  return (
    <div className="form-fields role-fields">
      <Backend at={`${at}/backend`} backends={backends} />
      <ModelSelect at={at} backends={backends} />
      <NumberField
        at={`${at}/temperature`}
        label="Temperature"
        description="0 to 2"
        placeholder="its own"
      />
      <NumberField
        at={`${at}/top_p`}
        label="Top p"
        description="Over 0, to 1"
        placeholder="its own"
      />
      <NumberField
        at={`${at}/max_tokens`}
        whole
        label="Max tokens"
        description="Longest answer; bounds a call's cost"
      />
    </div>
  );
}

function Backend({ at, backends }: { at: string; backends: Backends | undefined }) {
  const { id, value, error, set, onBlur } = useField(at);
  const chosen = textOf(value);
  const names = [...(backends?.keys() ?? [])];
  return (
    <Select
      inputWrapperOrder={ORDER}
      id={id}
      label="Backend"
      description="Where the model is"
      placeholder={backends ? "Choose one" : "Loading"}
      nothingFoundMessage="No backend of that name"
      searchable
      openOnFocus={false}
      allowDeselect={false}
      data={chosen === "" || names.includes(chosen) ? names : [chosen, ...names]}
      value={chosen || null}
      error={error}
      onBlur={onBlur}
      onChange={(name) => set(name ?? "")}
    />
  );
}

function ModelSelect({ at, backends }: { at: string; backends: Backends | undefined }) {
  const { id, value, error, set, onBlur } = useField(`${at}/model`);
  const backend = textOf(usePart(`${at}/backend`));
  const models = backends?.get(backend) ?? [];
  const chosen = textOf(value);
  const prices = new Map(models.map(({ name, price }) => [name, price]));
  const names = [...prices.keys()];
  return (
    <Select
      inputWrapperOrder={ORDER}
      id={id}
      label="Model"
      description={
        chosen === "" ? "One of the backend's" : (prices.get(chosen) ?? "not listed there")
      }
      placeholder={names.length > 0 ? "Choose one" : "Choose a backend first"}
      nothingFoundMessage={names.length > 0 ? "No model of that name" : "Choose a backend first"}
      searchable
      openOnFocus={false}
      allowDeselect={false}
      data={chosen === "" || names.includes(chosen) ? names : [chosen, ...names]}
      renderOption={({ option }) => (
        <span className="model-choice">
          {option.value} <span className="minor">{prices.get(option.value)}</span>
        </span>
      )}
      value={chosen || null}
      error={error}
      onBlur={onBlur}
      onChange={(name) => set(name ?? "")}
    />
  );
}
