/** What a config says of the health of its judge. Pure. */
import { percent } from "../format";

type Limits = Record<
  "max_failure_rate" | "min_answers" | "min_spread" | "min_self_agreement" | "min_pairs",
  number | null
>;

/** What a new config says of the health of its judge: the same as the service's own defaults. */
export const JUDGE_HEALTH: Limits = {
  max_failure_rate: 0.2,
  min_answers: 20,
  min_spread: null,
  min_self_agreement: 0.7,
  min_pairs: 20,
};

/** What a config does about a sick judge. */
export function healthInWords(health: Partial<Limits> | null | undefined): string {
  if (!health) return "is reported, and the run goes on";
  const {
    max_failure_rate: failures,
    min_spread: spread,
    min_self_agreement: same,
  } = { ...JUDGE_HEALTH, ...health };
  const parts = [
    failures === null ? "" : `over ${percent(failures)} of the last answers without a verdict`,
    spread === null ? "" : `scores that spread less than ${spread}`,
    same === null ? "" : `under ${percent(same)} agreement with itself`,
  ].filter((part) => part !== "");
  return parts.length === 0 ? "is not measured" : `pauses the run: ${parts.join("; ")}`;
}
