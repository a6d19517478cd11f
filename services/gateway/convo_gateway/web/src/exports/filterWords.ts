/** Which conversations of the corpus an export is of, in words. Pure. */
import type { ConversationFilter } from "../api";

/** Such as `status is rejected or failed, score_from is 3`; of no filter, that it is everything. */
export function filterWords(filter: Partial<ConversationFilter>): string {
  const said = Object.entries(filter).flatMap(([name, value]) => {
    if (value === null || value === undefined || value === "") return [];
    if (!Array.isArray(value)) return [`${name} is ${value}`];
    return value.length > 0 ? [`${name} is ${value.join(" or ")}`] : [];
  });
  return said.join(", ") || "nothing is left out";
}
