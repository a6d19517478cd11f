/** What to do about a run that does not go on. Pure. */
import { count } from "../format";
import type { RunView } from "./runView";

const ADVICE: Record<string, string> = {
  spend_cap: "Raise the cap, then resume. What is done stays, and nothing is paid for twice.",
  diversity_floor:
    "See under Distributions what repeats. Resume to go on as it is, or cancel and start another run from a config with more variety.",
  backend_auth: "Put the key that the backend names into the environment of convo, then resume.",
  judge_sick:
    "Mend the judge at its provider, then resume: what waits for it is judged once more, and the count begins anew. " +
    "Another judge or rubric takes a new run.",
  backend_quota: "Raise the limit or add credit at the provider, then resume.",
  backend_model: "Make the model available at the provider under the frozen name, then resume.",
};

/** A sentence, or nothing where there is nothing to do. */
export function advice(run: Pick<RunView, "status" | "reason" | Verdict>): string | undefined {
  const { status, reason } = run;
  switch (status) {
    case "completed":
      return run.accepted > 0 ? undefined : nothing(run);
    case "paused":
      if (reason === "" || reason === "requested") return undefined;
      return ADVICE[reason] ?? "Resume when that is settled.";
    case "failed":
      return "It cannot go on. What was accepted stays and can be exported; start another run for the rest.";
    case "cancelled":
      return reason === "diversity_floor"
        ? "Its config stops a run there, for good. What was accepted stays and can be exported."
        : "It was cancelled for good. What was accepted stays and can be exported.";
    default:
      return undefined;
  }
}

type Verdict = "accepted" | "rejected" | "failed";

function nothing({ rejected, failed }: Pick<RunView, "rejected" | "failed">): string {
  return (
    `It is at its end and nothing was accepted: ${count(rejected)} rejected, ${count(failed)} failed. ` +
    "The reasons below say why; there is nothing to export."
  );
}
