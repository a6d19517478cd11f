import { Minus, PencilLine, Plus } from "lucide-react";
import { count } from "../../format";
import { Plain } from "../../parts/Plain";
import type { Json } from "../json";
import type { Change } from "../objects";

const LOOKS = {
  added: [Plus, "good"],
  removed: [Minus, "bad"],
  changed: [PencilLine, "busy"],
} as const;
const MOST = 200;

/** What differs between two versions, field by field. */
export function FieldChanges({ changes }: { changes: Change[] }) {
  if (changes.length === 0) return <p>Both versions say the same.</p>;
  return (
    <>
      <ul className="changes">
        {changes.slice(0, MOST).map((change) => (
          <FieldChange key={`${change.op} ${change.pointer}`} change={change} />
        ))}
      </ul>
      {changes.length > MOST && (
        <p className="minor">
          The first {count(MOST)} of {count(changes.length)} changes.
        </p>
      )}
    </>
  );
}

function FieldChange({ change: { pointer, op, before, after } }: { change: Change }) {
  const [Icon, tone] = LOOKS[op];
  return (
    <li className="change">
      <div className="change-head">
        <span className="status" data-tone={tone}>
          <Icon size={13} aria-hidden />
          {op}
        </span>
        <code>{pointer || "the whole object"}</code>
      </div>
      <div className="change-values">
        {op !== "added" && <Value name="Before" value={before} />}
        {op !== "removed" && <Value name="After" value={after} />}
      </div>
    </li>
  );
}

const SHOWN = 2_000;

export function Value({ name, value }: { name: string; value: Json | undefined }) {
  const text = valueText(value);
  return (
    <div>
      <div className="minor">{name}</div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
      <pre className="change-value" tabIndex={0} dir="auto">
        <Plain text={text.slice(0, SHOWN)} />
        {text.length > SHOWN && "…"}
      </pre>
    </div>
  );
}

/** A value for the eye: text as it is, nothing as a word, all else as JSON. */
export function valueText(value: Json | undefined): string {
  if (typeof value === "string") return value === "" ? "(empty)" : value;
  if (value === undefined || value === null) return "(nothing)";
  return JSON.stringify(value, null, 2);
}
