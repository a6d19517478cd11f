/** The sections of the form, in their order, each with the parts of the config that it edits. */
import type { IndexEntry } from "../parts/form/SectionIndex";

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

export const INDEX: IndexEntry[] = Object.entries(SECTIONS).map(([id, entry]) => ({
  id,
  ...entry,
}));
