import { CircleX } from "lucide-react";
import { memo, type Ref, useMemo } from "react";
import { Plain } from "../../../parts/Plain";
import { templateLines } from "../../template";
import type { LineProblem } from "./draftRender";

interface Props {
  id: string;
  label: string;
  describedBy: string;
  text: string;
  problems: readonly LineProblem[];
  invalid: boolean;
  field?: Ref<HTMLTextAreaElement>;
  onFocus: () => void;
  onChange: (text: string) => void;
}

/** A template to write: lines are numbered, tags stand out, and lines with a problem are marked. */
export function CodeField(props: Props) {
  const { id, label, describedBy, text, problems, invalid, field, onFocus, onChange } = props;
  const bad = useMemo(() => new Set(problems.map(({ line }) => line ?? 0)), [problems]);
  return (
    <div className="segment">
      <div className="segment-stack">
        <Backdrop text={text} bad={bad} />
        <textarea
          ref={field}
          id={id}
          aria-label={label}
          aria-describedby={describedBy}
          aria-invalid={invalid || problems.length > 0}
          dir="auto"
          spellCheck={false}
          value={text}
          onFocus={onFocus}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      </div>
    </div>
  );
}

/** The same text behind the field, in the same lines: it carries the numbers and the marks. */
const Backdrop = memo(function Backdrop({ text, bad }: { text: string; bad: Set<number> }) {
  return (
    <div className="segment-backdrop" aria-hidden>
      {templateLines(text).map((line, at) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: a line has nothing but its number
          key={at}
          className="template-line"
          data-bad={bad.has(at + 1) || undefined}
          dir="auto"
        >
          {line.map((piece, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a piece has nothing but its place
            <span key={place} data-kind={piece.kind}>
              {piece.text}
            </span>
          ))}
          {"\u200b"}
        </div>
      ))}
    </div>
  );
});

/** What is wrong, line by line. */
export function LineProblems({ id, problems }: { id: string; problems: readonly LineProblem[] }) {
  return (
    <ul id={id} className="line-problems" aria-live="polite">
      {problems.map(({ line, message }) => (
        <li key={`${line} ${message}`}>
          <CircleX size={14} aria-hidden />
          <span>
            {line !== null && `Line ${line}: `}
            <Plain text={message} />
          </span>
        </li>
      ))}
    </ul>
  );
}
