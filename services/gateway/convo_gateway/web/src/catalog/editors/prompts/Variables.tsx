import { Section } from "../../../parts/Section";
import { poolVariable, VARIABLES } from "../../template";

const MOST_POOLS = 200;

/** What can stand in a segment; a click writes it where the cursor was last. */
export function Variables(props: { pools: readonly string[]; onInsert: (text: string) => void }) {
  const pools = props.pools.slice(0, MOST_POOLS).map((pool) => ({
    name: poolVariable(pool),
    meaning: `A value of the pool ${pool}`,
  }));
  return (
    <Section title="Variables">
      <p className="minor">A click writes it at the cursor.</p>
      <ul className="variables">
        {[...VARIABLES, ...pools].map(({ name, meaning }) => (
          <li key={name}>
            <button
              type="button"
              className="variable"
              title={meaning}
              aria-label={`Insert ${name}: ${meaning}`}
              // The cursor stays in the segment.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => props.onInsert(`{{ ${name} }}`)}
            >
              {name}
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Write at the cursor of a field, so that it can be undone. */
export function insertInto(field: HTMLTextAreaElement, text: string): void {
  field.focus();
  if (document.execCommand("insertText", false, text)) return;
  field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
