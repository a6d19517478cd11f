import { memo, type RefObject } from "react";
import { useDerived } from "../parts/form/context";
import { FormSection } from "../parts/form/FormSection";
import { ChoiceField, NumberField } from "../parts/form/fields";
import { NameSelect } from "../parts/form/NameSelect";
import { Basics } from "./Basics";
import { has, type Kept, modeOf } from "./body";
import { Judge } from "./Judge";
import { LengthMix } from "./LengthMix";
import { MixEditor } from "./MixEditor";
import { NamesEditor } from "./NamesEditor";
import { OptionalSection } from "./OptionalSection";
import { Roles } from "./RoleFields";
import { Rules } from "./Rules";
import { isShown, SECTIONS } from "./sections";

interface Props {
  isNew: boolean;
  kept: RefObject<Kept>;
}

/** Every field of a run config. */
export const ConfigFields = memo(function ConfigFields({ isNew, kept }: Props) {
  const mode = useDerived(modeOf);
  const hasJudge = useDerived((body) => has(body, "judge"));
  const reads = mode === "import";
  return (
    <div className="config-fields">
      <FormSection id="basics" title={SECTIONS.basics.title}>
        <Basics isNew={isNew} kept={kept} />
      </FormSection>
      {reads ? <ReadWith /> : <MadeFrom />}
      {isShown("lengths", mode, hasJudge) && (
        <FormSection
          id="lengths"
          title={SECTIONS.lengths.title}
          hint="From how many turns to how many, user and assistant together. Shares are relative and need not add up to anything."
        >
          <LengthMix />
        </FormSection>
      )}
      {isShown("roles", mode, hasJudge) && (
        <FormSection
          id="roles"
          title={SECTIONS.roles.title}
          hint="Which model plays which role. Judge, roughen and memory appear here when their sections are on."
        >
          <Roles />
        </FormSection>
      )}
      <FormSection
        id="rules"
        title={SECTIONS.rules.title}
        hint="Mechanical checks of every conversation, in this order. What is not changed here keeps the rule's own defaults."
      >
        <Rules />
      </FormSection>
      <FormSection
        id="diversity"
        title={SECTIONS.diversity.title}
        hint="An empty field switches a check off."
      >
        <div className="form-fields">
          <NumberField
            at="/diversity/near_duplicate"
            label="Near duplicate"
            description="Rejects over this similarity of word 3-grams (Jaccard, names masked); over 0.3, to 1"
            placeholder="off"
          />
          <ChoiceField
            at="/diversity/scope"
            label="Compared with"
            description="What the limit holds over; over more than this run it has to be 0.5 or more"
            data={[
              { value: "run", label: "this run" },
              { value: "config", label: "all runs of this config" },
              { value: "everything", label: "everything accepted" },
            ]}
          />
          <NumberField
            at="/diversity/example_copy"
            label="Example copy"
            description="Rejects over this share of an example's 3-grams; over 0, to 1"
            placeholder="off"
          />
          <NumberField
            at="/diversity/distinct3_floor"
            label="Distinct-3 floor"
            description="Under it, over the last 100 accepted, the run is shown as too uniform; 0 to 1"
            placeholder="off"
          />
          <ChoiceField
            at="/diversity/below_floor"
            label="Below the floor"
            description="What the run does then, once it has 100 accepted; stopped is for good"
            data={[
              { value: "show", label: "only show it" },
              { value: "pause", label: "pause the run" },
              { value: "stop", label: "stop the run" },
            ]}
          />
        </div>
      </FormSection>
      <OptionalSection
        id="judge"
        part="judge"
        title={SECTIONS.judge.title}
        kept={kept}
        off="Off: what passes rules and diversity is accepted."
        hint="A model scores each conversation that got through everything before; a score under the threshold rejects."
      >
        <Judge />
      </OptionalSection>
      {isShown("roughen", mode, hasJudge) && (
        <OptionalSection
          id="roughen"
          part="roughen"
          title={SECTIONS.roughen.title}
          kept={kept}
          off="Off: user turns stay as they were generated."
          hint="In a share of the conversations, user turns are rewritten the way people really type, with the same meaning."
        >
          <div className="form-fields">
            <NumberField
              at="/roughen/share"
              label="Share"
              description="Of the conversations; over 0, to 1"
            />
            <ChoiceField
              at="/roughen/strength"
              label="Strength"
              description="How far from careful writing"
              data={["light", "medium", "strong"]}
            />
          </div>
        </OptionalSection>
      )}
      {isShown("memory", mode, hasJudge) && (
        <OptionalSection
          id="memory"
          part="memory"
          title={SECTIONS.memory.title}
          kept={kept}
          off="Off: personas come back and remember nothing."
          hint="After each conversation a model writes down what the persona keeps of it for the next."
        >
          <div className="form-fields">
            <NumberField
              at="/memory/max_characters"
              whole
              label="Longest memory"
              description="Characters, 100 to 20,000; a longer one is cut at the end of a sentence"
            />
          </div>
        </OptionalSection>
      )}
      <FormSection id="retries" title={SECTIONS.retries.title}>
        <div className="form-fields">
          <NumberField
            at="/retries"
            whole
            label="Retries"
            description="New tries of a step after an error that may pass, 0 to 20. Waiting for a rate limit is not counted"
          />
        </div>
      </FormSection>
      <FormSection id="money" title={SECTIONS.money.title}>
        <div className="form-fields">
          <NumberField
            at="/spend_cap_usd"
            label="Spend cap (USD)"
            description="The run pauses before it would spend more; empty: no cap"
            placeholder="none"
          />
          <NumberField
            at="/confirm_above_usd"
            label="Confirm runs estimated above (USD)"
            description="A start whose estimate is above asks once more; empty: it never asks"
            placeholder="never"
          />
        </div>
      </FormSection>
    </div>
  );
});

/** What conversations are made from. */
function MadeFrom() {
  return (
    <FormSection
      id="who"
      title={SECTIONS.who.title}
      hint="The plan draws a persona, a voice and a value of every pool for each conversation; over the run the shares come out within one conversation of the weights."
    >
      <div className="form-fields">
        <NameSelect
          at="/prompt_set"
          kind="prompt-sets"
          label="Prompt set"
          description="What the models are asked with"
        />
      </div>
      <MixEditor kind="personas" at="/personas" hint="Who the user side is." />
      <MixEditor kind="voices" at="/voices" hint="How they write." />
      <NamesEditor
        kind="pools"
        at="/pools"
        hint="Values that prompts draw from, each value as often as the next."
      />
      <NamesEditor
        kind="filter-lists"
        at="/filter_lists"
        hint="Phrases and patterns that reject a conversation."
      />
    </FormSection>
  );
}

/** What conversations of a file are held against. */
function ReadWith() {
  return (
    <FormSection
      id="who"
      title={SECTIONS.who.title}
      hint="The file says who speaks. Of the prompt set only the examples are used, which nobody may copy, and the judge's prompt."
    >
      <div className="form-fields">
        <NameSelect
          at="/prompt_set"
          kind="prompt-sets"
          label="Prompt set"
          description="Examples, and what the judge is asked with"
        />
      </div>
      <NamesEditor
        kind="filter-lists"
        at="/filter_lists"
        hint="Phrases and patterns that reject a conversation."
      />
    </FormSection>
  );
}
