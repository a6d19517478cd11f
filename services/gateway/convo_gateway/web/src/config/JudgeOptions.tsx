import { Box, Button, CloseButton, Select, Stack, Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { isObject, type Json } from "../catalog/json";
import { get, type Item, pathOfObject } from "../catalog/objects";
import { useField, usePart } from "../parts/form/context";
import { ChoiceField, LongTextField, NumberField, ORDER, SwitchField } from "../parts/form/fields";
import { textOf } from "../parts/form/numbers";
import { useBackends } from "./backends";
import { NEW_ROLE } from "./body";
import { ModelFields } from "./ModelFields";

const PANEL = "/judge/panel";
const MOST_PANEL = 4;
const COMPARISON = "/judge/comparison";

/** What can be asked of the judge beside one score: samples, more judges, a comparison, rechecks. */
export function JudgeOptions() {
  return (
    <>
      <fieldset className="plain" aria-label="Samples">
        <h3>Samples</h3>
        <p className="hint">
          Each sample is a call of its own, with a seed of its own and the criteria in another
          order. Samples that could not change the verdict any more are not asked for.
        </p>
        <div className="form-fields">
          <NumberField
            at="/judge/samples"
            whole
            empty={undefined}
            label="Samples of each judge"
            description="1 to 9"
            placeholder="1"
          />
          <ChoiceField
            at="/judge/reducer"
            label="Reducer"
            description="How the samples of a judge become one; majority: more than half pass"
            data={[
              { value: "mean", label: "mean" },
              { value: "median", label: "median" },
              { value: "lowest", label: "lowest" },
              { value: "majority", label: "majority" },
            ]}
          />
          <NumberField
            at="/judge/recheck_share"
            empty={undefined}
            label="Recheck share"
            description="Judged once more to see whether the judge agrees with itself; 0 to 1, touches no verdict"
            placeholder="none"
          />
        </div>
        <Box mt="sm">
          <SwitchField
            at="/judge/cache"
            label="Reuse earlier verdicts"
            description="Where the very same request was answered before; never for a repeat, and only a verdict that was scored"
          />
        </Box>
      </fieldset>
      <Panel />
      <Comparison />
    </>
  );
}

/** Further judges beside the role's model. */
function Panel() {
  const { value, error, set, id } = useField(PANEL);
  const judge = usePart("/roles/judge");
  const backends = useBackends();
  const panel = Array.isArray(value) ? value : [];
  const add = () => {
    const { backend = "" } = isObject(judge) ? judge : {};
    set([...panel, { ...NEW_ROLE, backend }]);
  };
  return (
    <fieldset className="plain" id={id} tabIndex={-1} aria-label="Panel">
      <h3>Panel</h3>
      <p className="hint">
        Further judges. Each scores every conversation, and the score is the mean of the judges.
      </p>
      {error && <p className="field-error">{error}</p>}
      {panel.map((_, seat) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a judge is its seat
        <fieldset className="role" key={seat}>
          <legend>
            judge {seat + 2}{" "}
            <CloseButton
              size="sm"
              aria-label={`Remove judge ${seat + 2}`}
              onClick={() =>
                set(panel.length === 1 ? undefined : panel.filter((_one, at) => at !== seat))
              }
            />
          </legend>
          <ModelFields at={`${PANEL}/${seat}`} backends={backends.data} />
          <Box mt="sm">
            <SwitchField at={`${PANEL}/${seat}/send_seed`} otherwise label="Send the plan's seed" />
          </Box>
        </fieldset>
      ))}
      <Button
        size="xs"
        variant="default"
        leftSection={<Plus size={14} aria-hidden />}
        disabled={panel.length >= MOST_PANEL}
        onClick={add}
      >
        Add a judge
      </Button>
    </fieldset>
  );
}

/** What passes is held against an example of the prompt set, in both orders. */
function Comparison() {
  const { value, error, set, id } = useField(COMPARISON);
  const on = isObject(value);
  return (
    <fieldset className="plain" id={id} tabIndex={-1} aria-label="Comparison">
      <h3>Comparison</h3>
      <p className="hint">
        What passes is compared with an example of the prompt set, once with each of the two first.
        Only what the judge says in both orders counts; an answer that changes is undecided.
      </p>
      {error && <p className="field-error">{error}</p>}
      <Switch
        label="Compare with an example"
        checked={on}
        onChange={({ currentTarget }) =>
          set(currentTarget.checked ? { example: "", worse: "record" } : undefined)
        }
      />
      {on && (
        <Stack gap="sm" mt="sm">
          <div className="form-fields">
            <ExampleSelect at={`${COMPARISON}/example`} />
            <ChoiceField
              at={`${COMPARISON}/worse`}
              label="Worse in both orders"
              description="What becomes of such a conversation"
              data={[
                { value: "record", label: "only recorded" },
                { value: "reject", label: "rejected" },
              ]}
            />
          </div>
          <LongTextField
            at={`${COMPARISON}/question`}
            label="Question"
            description="What makes one the better one; empty: the criteria do"
          />
        </Stack>
      )}
    </fieldset>
  );
}

function ExampleSelect({ at }: { at: string }) {
  const { id, value, error, set, onBlur } = useField(at);
  const promptSet = textOf(usePart("/prompt_set"));
  const { data } = useQuery({
    queryKey: ["catalog", "prompt-sets", promptSet, "examples"],
    queryFn: async ({ signal }) =>
      namesOf((await get<Item>(pathOfObject("prompt-sets", promptSet), {}, signal)).body.examples),
    enabled: promptSet !== "",
    retry: false,
  });
  const chosen = textOf(value);
  const names = data ?? [];
  return (
    <Select
      inputWrapperOrder={ORDER}
      id={id}
      label="Example"
      description="Of the prompt set"
      placeholder={names.length > 0 ? "Choose one" : "The prompt set has none"}
      nothingFoundMessage="No example of that name"
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

function namesOf(examples: Json | undefined): string[] {
  return (Array.isArray(examples) ? examples : []).filter(isObject).map(({ name }) => textOf(name));
}
