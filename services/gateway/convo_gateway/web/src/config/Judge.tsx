import { Button, CloseButton, Textarea } from "@mantine/core";
import { Plus } from "lucide-react";
import { useRef } from "react";
import { isObject } from "../catalog/json";
import { useField, usePart } from "../parts/form/context";
import { LongTextField, NumberField, TextField } from "../parts/form/fields";
import { textOf } from "../parts/form/numbers";
import { anchoredScores } from "./anchors";
import { JudgeHealthFields } from "./JudgeHealthFields";
import { JudgeOptions } from "./JudgeOptions";
import { sharesOf, weightOf } from "./shares";

const AT = "/judge/criteria";

/** The questions to the judge, the scale of the answers, and the score that is enough. */
export function Judge() {
  const { value, error, set, id } = useField(AT);
  const whole = useField("/judge");
  const criteria = Array.isArray(value) ? value : [];
  const shares = sharesOf(criteria.map((criterion) => weightOf(criterion)));
  const list = useRef<HTMLOListElement>(null);
  const add = () => {
    set([...criteria, { name: "", question: "", weight: 1 }]);
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>("li:last-child input")?.focus(),
    );
  };
  return (
    <fieldset className="plain" id={whole.id} tabIndex={-1} aria-label="Judge">
      {whole.error && <p className="field-error">{whole.error}</p>}
      <div className="form-fields">
        <NumberField at="/judge/scale/0" whole label="Lowest score" />
        <NumberField at="/judge/scale/1" whole label="Highest score" />
        <NumberField
          at="/judge/threshold"
          label="Threshold"
          description="A score under it rejects"
        />
        <NumberField
          at="/judge/retries"
          whole
          label="Judge retries"
          description="After an answer that does not parse; 0 to 5"
        />
      </div>
      <fieldset className="plain" id={id} tabIndex={-1} aria-label="Criteria">
        <h3>Criteria</h3>
        <p className="hint">The score is their weighted mean.</p>
        {error && <p className="field-error">{error}</p>}
        <ol className="criteria" ref={list}>
          {criteria.map((_, row) => (
            <Criterion
              // biome-ignore lint/suspicious/noArrayIndexKey: a criterion is its place
              key={row}
              row={row}
              share={shares[row]}
              only={criteria.length === 1}
            />
          ))}
        </ol>
        <Button
          size="xs"
          variant="default"
          leftSection={<Plus size={14} aria-hidden />}
          disabled={criteria.length >= 20}
          onClick={add}
        >
          Add a criterion
        </Button>
      </fieldset>
      <JudgeOptions />
      <JudgeHealthFields />
    </fieldset>
  );
}

function Criterion(props: { row: number; share: string | undefined; only: boolean }) {
  const { row, share, only } = props;
  const at = `${AT}/${row}`;
  const { set, id } = useField(at);
  const name = String(usePart(`${at}/name`) || row + 1);
  return (
    <li className="criterion" id={id} tabIndex={-1}>
      <TextField
        at={`${at}/name`}
        label="Name"
        aria-label={`Name of criterion ${row + 1}`}
        placeholder="such as helpful"
      />
      <NumberField
        at={`${at}/weight`}
        label="Weight"
        aria-label={`Weight of criterion ${row + 1}`}
      />
      <span className="length-share">{share === undefined ? "–" : `${share}\u00a0%`}</span>
      <CloseButton
        aria-label={`Remove criterion ${name}`}
        disabled={only}
        onClick={() => set(undefined)}
      />
      <LongTextField
        at={`${at}/question`}
        aria-label={`Question of criterion ${row + 1}`}
        placeholder="What the judge is asked"
        className="criterion-question"
      />
      <Anchors at={`${at}/anchors`} row={row} />
    </li>
  );
}

/** What scores look like, highest first: a line for each score of a short scale, and for each that has one already. */
function Anchors({ at, row }: { at: string; row: number }) {
  const { value, error, id } = useField(at);
  const written = isObject(value) ? value : {};
  const scores = anchoredScores(usePart("/judge/scale"), Object.keys(written));
  return (
    <details className="criterion-question" id={id} tabIndex={-1}>
      <summary>
        What scores look like ({Object.keys(written).length} of {scores.length} described)
      </summary>
      {error && <p className="field-error">{error}</p>}
      <div className="anchors">
        {scores.map((score) => (
          <Anchor key={score} at={`${at}/${score}`} score={score} row={row} />
        ))}
      </div>
    </details>
  );
}

function Anchor({ at, score, row }: { at: string; score: string; row: number }) {
  const { id, value, error, set, onBlur } = useField(at);
  return (
    <Textarea
      id={id}
      autosize
      minRows={1}
      maxRows={6}
      label={score}
      aria-label={`Score ${score} of criterion ${row + 1}`}
      value={textOf(value)}
      error={error}
      onBlur={onBlur}
      onChange={({ currentTarget }) => set(currentTarget.value || undefined)}
    />
  );
}
