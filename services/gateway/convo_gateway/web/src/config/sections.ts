/** The sections of the form, in their order, each with the parts of the config that it edits. */
import type { IndexEntry } from "../parts/form/SectionIndex";
import type { Mode } from "./body";

export const SECTIONS = {
  basics: {
    title: "Basics",
    parts: ["/name", "/description", "/mode", "/language", "/target_count", "/seed", "/threads"],
  },
  who: {
    title: "Who and what",
    parts: ["/prompt_set", "/personas", "/voices", "/pools", "/filter_lists"],
  },
  lengths: { title: "Length mix", parts: ["/length_mix"] },
  roles: { title: "Roles", parts: ["/roles"] },
  rules: { title: "Rules", parts: ["/rules"] },
  diversity: { title: "Diversity", parts: ["/diversity"] },
  judge: { title: "Judge", parts: ["/judge"] },
  roughen: { title: "Roughen", parts: ["/roughen"] },
  memory: { title: "Memory", parts: ["/memory"] },
  retries: { title: "Retries", parts: ["/retries"] },
  money: { title: "Money", parts: ["/spend_cap_usd", "/confirm_above_usd"] },
} satisfies Record<string, Omit<IndexEntry, "id">>;

type SectionId = keyof typeof SECTIONS;

/** Whether the form shows the section for such a config. */
export function isShown(id: SectionId, mode: Mode, hasJudge: boolean): boolean {
  if (mode !== "import") return true;
  return id === "roles" ? hasJudge : !["lengths", "roughen", "memory"].includes(id);
}

/** The sections that are shown, for the index beside the form. */
export function indexOf(mode: Mode, hasJudge: boolean): IndexEntry[] {
  return (Object.keys(SECTIONS) as SectionId[])
    .filter((id) => isShown(id, mode, hasJudge))
    .map((id) => ({ id, ...SECTIONS[id] }));
}
