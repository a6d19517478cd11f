/** What to do about a run that does not go on. Pure. */
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
export function advice({ status, reason }: Pick<RunView, "status" | "reason">): string | undefined {
  switch (status) {
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
