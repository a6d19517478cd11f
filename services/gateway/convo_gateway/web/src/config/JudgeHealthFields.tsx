import { Switch } from "@mantine/core";
import { isObject } from "../catalog/json";
import { useField } from "../parts/form/context";
import { NumberField } from "../parts/form/fields";
import { JUDGE_HEALTH } from "./judgeHealth";

const AT = "/judge/health";

/** When a sick judge pauses the run. */
export function JudgeHealthFields() {
  const { id, value, error, set } = useField(AT);
  const on = isObject(value);
  return (
    <fieldset className="plain" id={id} tabIndex={-1} aria-label="Health">
      <h3>Health</h3>
      <Switch
        label="Pause the run when it is sick"
        description="Before its answers cost good conversations their place; a resume goes on and counts anew."
        checked={on}
        onChange={({ currentTarget: { checked } }) => set(checked ? JUDGE_HEALTH : undefined)}
      />
      {error && <p className="field-error">{error}</p>}
      {on && (
        <div className="form-fields">
          <NumberField
            at={`${AT}/max_failure_rate`}
            label="Most answers without a verdict"
            description="Share of the last 50, 0 to 1; empty: not measured"
          />
          <NumberField
            at={`${AT}/min_answers`}
            whole
            label="From so many answers on"
            description="5 to 50"
          />
          <NumberField
            at={`${AT}/min_spread`}
            label="Least spread of the scores"
            description="Standard deviation, from 30 scores on; empty: not measured"
          />
          <NumberField
            at={`${AT}/min_self_agreement`}
            label="Least agreement with itself"
            description="Share of the last 50 conversations judged twice that pass or fail again, 0 to 1; empty: not measured"
          />
          <NumberField
            at={`${AT}/min_pairs`}
            whole
            label="From so many judged twice on"
            description="5 to 50"
          />
        </div>
      )}
    </fieldset>
  );
}
