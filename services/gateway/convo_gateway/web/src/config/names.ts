/** What people call the parts of a run config. Pure. */
import { pathOf } from "../catalog/json";

const NAMES: Record<string, string> = {
  name: "Name",
  description: "Description",
  mode: "Mode",
  target_count: "Target count",
  seed: "Run seed",
  threads: "Threads",
  language: "Language",
  prompt_set: "Prompt set",
  personas: "Personas",
  voices: "Voices",
  pools: "Pools",
  filter_lists: "Filter lists",
  length_mix: "Length mix",
  roles: "Roles",
  rules: "Rules",
  diversity: "Diversity",
  judge: "Judge",
  memory: "Memory",
  roughen: "Roughen",
  retries: "Retries",
  spend_cap_usd: "Spend cap (USD)",
  confirm_above_usd: "Confirm runs estimated above (USD)",
};

const INNER: Record<string, string> = {
  top_p: "top p",
  max_tokens: "most tokens",
  send_seed: "seed",
  accept_finish: "accepted finish reasons",
  near_duplicate: "near duplicate",
  scope: "compared with",
  example_copy: "example copy",
  distinct3_floor: "distinct-3 floor",
  below_floor: "below the floor",
  criteria: "criterion",
  max_characters: "longest memory",
  panel: "panel",
  recheck_share: "recheck share",
  worse: "worse in both orders",
};

const ENDS: Record<string, readonly [string, string]> = {
  turns: ["fewest turns", "most turns"],
  scale: ["lowest score", "highest score"],
};

/** Such as `Length mix, row 2, most turns` for `/length_mix/1/turns/1`. */
export function nameOf(pointer: string): string {
  const path = pathOf(pointer);
  if (path.length === 0) return "Run config";
  const words = path.flatMap((part, at) => {
    const before = path[at - 1] ?? "";
    if (ENDS[part] && at < path.length - 1) return [];
    const ends = ENDS[before];
    if (ends) return [ends[Number(part)] ?? part];
    if (before === "criteria") return [String(Number(part) + 1)];
    if (before === "anchors") return [`score ${part}`];
    if (part === "anchors" && at < path.length - 1) return [];
    if (/^\d+$/.test(part)) return [`row ${Number(part) + 1}`];
    if (part === "parameters") return [];
    return [(at === 0 ? NAMES : INNER)[part] ?? part.replaceAll("_", " ")];
  });
  return words.join(", ").replaceAll("criterion, ", "criterion ");
}
