import { Checkbox, Group, Select } from "@mantine/core";
import { useDerived, useField, usePart } from "../parts/form/context";
import { NumberField, ORDER, SwitchField } from "../parts/form/fields";
import { textOf } from "../parts/form/numbers";
import { type Backends, useBackends } from "./backends";
import { modeOf, neededRoles, type Role } from "./body";

const PURPOSES: Record<Role, string> = {
  user: "Plays the person",
  assistant: "Plays the assistant",
  judge: "Scores what was written",
  memory: "Writes what a persona remembers",
  roughen: "Rewrites user turns the way people type",
};

/** The roles that the config needs, each with its model. */
export function Roles() {
  const roles = useDerived((body) => neededRoles(body).join(" ")).split(" ") as Role[];
  const backends = useBackends();
  const scripted = useDerived(modeOf) === "scripted";
  return (
    <div className="roles">
      {roles.map((role) => (
        <RoleFields
          key={role}
          role={role}
          purpose={
            role === "assistant" && scripted ? "Writes the whole conversation" : PURPOSES[role]
          }
          backends={backends.data}
        />
      ))}
    </div>
  );
}

function RoleFields(props: { role: Role; purpose: string; backends: Backends | undefined }) {
  const { role, purpose, backends } = props;
  const at = `/roles/${role}`;
  const { id, error } = useField(at);
  return (
    <fieldset className="role" id={id} tabIndex={-1}>
      <legend>
        {role} <span className="minor">{purpose}</span>
      </legend>
      {error && <p className="field-error">{error}</p>}
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
      <Group gap="xl" mt="sm" align="flex-start">
        <FinishReasons at={`${at}/accept_finish`} />
        <SwitchField at={`${at}/send_seed`} otherwise label="Send the plan's seed" />
      </Group>
    </fieldset>
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

const FINISHES = [
  ["stop", "stop: it ended by itself"],
  ["length", "length: it was cut off at max tokens"],
] as const;

function FinishReasons({ at }: { at: string }) {
  const { id, value, error, set } = useField(at);
  const accepted = Array.isArray(value) ? value : ["stop"];
  return (
    <Checkbox.Group
      id={id}
      label="Accepted finish reasons"
      error={error}
      value={accepted.map(String)}
      onChange={(next) => set(FINISHES.map(([name]) => name).filter((name) => next.includes(name)))}
    >
      <Group gap="md" mt={6}>
        {FINISHES.map(([name, label]) => (
          <Checkbox key={name} value={name} label={label} size="xs" />
        ))}
      </Group>
    </Checkbox.Group>
  );
}
