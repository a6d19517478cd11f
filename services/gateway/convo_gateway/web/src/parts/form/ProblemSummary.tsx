import { CircleCheck, CircleX, TriangleAlert } from "lucide-react";
import { useId } from "react";
import { count, plural } from "../../format";
import { Plain } from "../Plain";
import { focusField } from "./focus";
import { errorsOf, type Problem, warningsOf } from "./problems";

interface Props {
  problems: readonly Problem[];
  /** Whether what is here is older than the draft. */
  behind: boolean;
  /** What people call the field of a pointer. */
  nameOf: (pointer: string) => string;
}

const MOST = 100;

/** Everything that is wrong with a draft at once, each with a way to its field. */
export function ProblemSummary({ problems, behind, nameOf }: Props) {
  const errors = errorsOf(problems);
  const warnings = warningsOf(problems);
  return (
    <section className="problems" aria-label="Problems" aria-busy={behind} id="problems">
      <p role="status" className="problems-total" data-good={errors.length === 0 || undefined}>
        {errors.length === 0 ? (
          <CircleCheck size={16} aria-hidden />
        ) : (
          <CircleX size={16} aria-hidden />
        )}
        {errors.length === 0 ? "Nothing to fix" : `${plural(errors.length, "problem")} to fix`}
      </p>
      <ProblemLinks problems={errors} nameOf={nameOf} />
      {warnings.length > 0 && (
        <>
          <p className="problems-total" data-warning>
            <TriangleAlert size={16} aria-hidden />
            {plural(warnings.length, "warning")}
          </p>
          <ProblemLinks problems={warnings} nameOf={nameOf} />
        </>
      )}
    </section>
  );
}

function ProblemLinks(props: { problems: Problem[]; nameOf: (pointer: string) => string }) {
  const { problems, nameOf } = props;
  const id = useId();
  if (problems.length === 0) return null;
  return (
    <ul className="problem-links">
      {problems.slice(0, MOST).map(({ pointer, message }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two problems may be the same in all but their place
        <li key={`${id} ${at}`}>
          <button type="button" onClick={() => focusField(pointer)}>
            <strong>{nameOf(pointer)}</strong>
            <span>
              <Plain text={message} />
            </span>
          </button>
        </li>
      ))}
      {problems.length > MOST && <li>and {count(problems.length - MOST)} more</li>}
    </ul>
  );
}
