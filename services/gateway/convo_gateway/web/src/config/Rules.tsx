import { Button, NativeSelect, Switch, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { RotateCcw } from "lucide-react";
import { listRules, type RuleAnnouncement } from "../api";
import { isObject } from "../catalog/json";
import { plural } from "../format";
import { useField, usePart } from "../parts/form/context";
import { NumberField, ORDER, SwitchField } from "../parts/form/fields";
import { fieldId } from "../parts/form/focus";
import { Failed, Loading } from "../parts/states";
import { type Parameter, parametersOf, valueWords } from "./parameters";

export const RULES_KEY = ["rules"];

/** The rules that the filters announce, each with a switch and its parameters. */
export function Rules() {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: RULES_KEY,
    queryFn: async ({ signal }) => (await listRules({ signal, throwOnError: true })).data,
  });
  const named = usePart("/rules");
  if (isPending) return <Loading what="the rules" />;
  if (data === undefined)
    return <Failed error={error} what="Rules" onRetry={() => void refetch()} />;
  const known = new Set(data.map(({ reason }) => reason));
  const strangers = Object.keys(isObject(named) ? named : {}).filter((name) => !known.has(name));
  return (
    <>
      {data.length === 0 && (
        <p className="hint">
          The filters have not announced their rules yet; every rule runs with its own defaults.
        </p>
      )}
      <ul className="rules">
        {data.map((rule) => (
          <Rule key={rule.reason} rule={rule} />
        ))}
        {strangers.map((reason) => (
          <Stranger key={reason} reason={reason} />
        ))}
      </ul>
    </>
  );
}

function Rule({ rule: { reason, description, parameters: schema } }: { rule: RuleAnnouncement }) {
  const at = `/rules/${reason}`;
  const { value, set, error } = useField(at);
  const enabled = useField(`${at}/enabled`);
  const on = enabled.value !== false;
  const parameters = parametersOf(schema);
  const own = isObject(value) ? Object.keys(inside(value.parameters)).length : 0;
  const changed = !on || own > 0;
  return (
    <li className="rule" id={fieldId(at)} data-off={!on || undefined}>
      <div className="rule-head">
        <Switch
          id={enabled.id}
          label={<code>{reason}</code>}
          description={description}
          checked={on}
          error={error ?? enabled.error}
          onChange={({ currentTarget }) => enabled.set(currentTarget.checked)}
        />
        {changed && (
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<RotateCcw size={13} aria-hidden />}
            aria-label={`Reset ${reason} to its defaults`}
            onClick={() => set(undefined)}
          >
            Reset
          </Button>
        )}
      </div>
      {on && parameters.length > 0 && (
        <details className="rule-fields">
          <summary>
            {plural(parameters.length, "parameter")},{" "}
            {own === 0 ? "all at default" : `${own} set here`}
          </summary>
          <div className="form-fields">
            {parameters.map((parameter) => (
              <ParameterField
                key={parameter.name}
                at={`${at}/parameters/${parameter.name}`}
                parameter={parameter}
              />
            ))}
          </div>
        </details>
      )}
    </li>
  );
}

function ParameterField({ at, parameter }: { at: string; parameter: Parameter }) {
  const { title, description, type, otherwise, choices, range } = parameter;
  const bounds = [range, `default ${valueWords(otherwise)}`].filter(Boolean).join("; ");
  const hint = `${description} (${bounds})`;
  const look = { at, label: title, description: hint };
  switch (type) {
    case "boolean":
      return <SwitchField {...look} otherwise={otherwise === true} />;
    case "integer":
    case "number":
      return (
        <NumberField
          {...look}
          whole={type === "integer"}
          empty={undefined}
          placeholder={String(otherwise ?? "")}
        />
      );
    case "choice":
      return <Choice {...look} choices={choices} otherwise={String(otherwise ?? "")} />;
    case "list":
      return <Lines {...look} />;
    case "text":
      return <Lines {...look} single />;
  }
}

function Choice(props: {
  at: string;
  label: string;
  description: string;
  choices: string[];
  otherwise: string;
}) {
  const { at, otherwise, choices, ...look } = props;
  const { id, value, error, set, onBlur } = useField(at);
  return (
    <NativeSelect
      inputWrapperOrder={ORDER}
      {...look}
      id={id}
      data={choices}
      value={value === undefined ? otherwise : String(value)}
      error={error}
      onBlur={onBlur}
      onChange={({ currentTarget }) => set(currentTarget.value)}
    />
  );
}

/** Texts, one a line; or a single one. */
function Lines(props: { at: string; label: string; description: string; single?: boolean }) {
  const { at, single, ...look } = props;
  const { id, value, error, set, onBlur } = useField(at);
  const text = Array.isArray(value) ? value.join("\n") : String(value ?? "");
  return (
    <Textarea
      inputWrapperOrder={ORDER}
      {...look}
      id={id}
      autosize
      minRows={1}
      maxRows={8}
      value={text}
      error={error}
      onBlur={onBlur}
      onChange={({ currentTarget: { value: typed } }) => {
        if (typed === "") set(undefined);
        else set(single ? typed : typed.split("\n"));
      }}
    />
  );
}

/** A rule that the config names and nobody announces. */
function Stranger({ reason }: { reason: string }) {
  const { set, id, error } = useField(`/rules/${reason}`);
  return (
    <li className="rule" id={id} tabIndex={-1}>
      <div className="rule-head">
        <span>
          <code>{reason}</code> <span className="minor">is announced by no filter</span>
          {error && <span className="field-error">{error}</span>}
        </span>
        <Button size="compact-xs" variant="subtle" onClick={() => set(undefined)}>
          Take it out
        </Button>
      </div>
    </li>
  );
}

function inside(value: unknown): object {
  return isObject(value) ? value : {};
}
