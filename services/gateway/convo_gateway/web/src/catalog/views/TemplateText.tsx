import { memo } from "react";
import { Plain } from "../../parts/Plain";
import { type Piece, templateLines } from "../template";

/** A segment with numbered lines; variables and statements stand out by colour and shape. */
export const TemplateText = memo(function TemplateText(props: { label: string; text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
    <section className="template" tabIndex={0} aria-label={props.label}>
      {templateLines(props.text).map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line has nothing but its number
        <div key={at} className="template-line" dir="auto">
          {line.map((piece, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a piece has nothing but its place
            <Shown key={place} piece={piece} />
          ))}
        </div>
      ))}
    </section>
  );
});

function Shown({ piece: { kind, text } }: { piece: Piece }) {
  if (kind === "text") return <Plain text={text} />;
  return (
    <span data-kind={kind}>
      <Plain text={text} />
    </span>
  );
}
