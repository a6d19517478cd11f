import { memo, useMemo } from "react";
import { Plain } from "../../parts/Plain";
import { type DiffLine, hunksOf } from "./textDiff";

const MOST_LINES = 3_000;
const MEANING = { "+": "added", "-": "removed", " ": "" } as const;

/** What differs between two texts, line by line; signs say it, colours repeat them. */
export const TextDiff = memo(function TextDiff(props: { before: string; after: string }) {
  const { before, after } = props;
  const hunks = useMemo(() => hunksOf(before, after), [before, after]);
  if (hunks === undefined) {
    return <p>The texts are too large and too different to be compared line by line.</p>;
  }
  if (hunks.length === 0) return <p>The texts are the same.</p>;
  let left = MOST_LINES;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
    <section className="diff" tabIndex={0} aria-label="Differences by line">
      {hunks.map((hunk) => {
        const shown = hunk.slice(0, Math.max(0, left));
        left -= shown.length;
        return (
          <div key={`${hunk[0]?.before} ${hunk[0]?.after}`} className="hunk">
            {shown.map((line) => (
              <Line key={`${line.before} ${line.after}`} line={line} />
            ))}
          </div>
        );
      })}
      {left <= 0 && <p className="minor">There is more; the YAML of both versions has all.</p>}
    </section>
  );
});

function Line({ line: { before, after, sign, text } }: { line: DiffLine }) {
  return (
    <div className="diff-line" data-sign={sign}>
      <span className="diff-number">{before}</span>
      <span className="diff-number">{after}</span>
      <span className="diff-sign">
        {sign}
        {MEANING[sign] && <span className="only-heard">{MEANING[sign]}</span>}
      </span>
      <span className="diff-text" dir="auto">
        <Plain text={text} />
      </span>
    </div>
  );
}
