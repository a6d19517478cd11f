import { countUnder, errorsOf, type Problem } from "./problems";

export interface IndexEntry {
  id: string;
  title: string;
  /** Parts of the draft that the section edits. */
  parts: readonly string[];
}

/** The sections of a long form, with how much is wrong in each. */
export function SectionIndex(props: {
  entries: readonly IndexEntry[];
  problems: readonly Problem[];
}) {
  const errors = errorsOf(props.problems);
  return (
    <nav aria-label="Sections" className="section-index">
      <ul>
        {props.entries.map(({ id, title, parts }) => {
          const wrong = countUnder(errors, parts);
          return (
            <li key={id}>
              <a
                href={`#${id}`}
                onClick={(event) => {
                  event.preventDefault();
                  const heading = document.getElementById(id);
                  heading?.scrollIntoView({ block: "start" });
                  heading?.focus({ preventScroll: true });
                }}
              >
                {title}
                {wrong > 0 && (
                  <span className="wrong">
                    {wrong}
                    <span className="unseen"> to fix</span>
                  </span>
                )}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
