import { Checkbox, Group } from "@mantine/core";
import { useDerived, useField } from "../parts/form/context";
import { SwitchField } from "../parts/form/fields";
import { type Backends, useBackends } from "./backends";
import { modeOf, neededRoles, type Role } from "./body";
import { ModelFields } from "./ModelFields";

const PURPOSES: Record<Role, string> = {
  user: "Plays the person",
  assistant: "Plays the assistant",
  judge: "Scores what was written",
  memory: "Writes what a persona remembers",
  roughen: "Rewrites user turns the way people type",
};

/** The roles that the config needs, each with its model. */
export function Roles() {
  const needed = useDerived((body) => neededRoles(body).join(" "));
  const roles = needed === "" ? [] : (needed.split(" ") as Role[]);
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
      <ModelFields at={at} backends={backends} />
      <Group gap="xl" mt="sm" align="flex-start">
        <FinishReasons at={`${at}/accept_finish`} />
        <SwitchField at={`${at}/send_seed`} otherwise label="Send the plan's seed" />
      </Group>
    </fieldset>
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
