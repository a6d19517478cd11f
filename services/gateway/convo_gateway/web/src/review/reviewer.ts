/** Who reviews, and what they have begun to write: kept in this browser. */
import { useLocalStorage } from "@mantine/hooks";
import type { Opinion } from "./opinion";

const REVIEWER = "convo-reviewer";
const DRAFT = "convo-review-draft:";

export function useReviewer() {
  const [name, setName] = useLocalStorage({
    key: REVIEWER,
    defaultValue: "",
    getInitialValueInEffect: false,
  });
  return { name: name.trim(), raw: name, setName };
}

/** A draft belongs to the version it was begun on: a newer review shows what it says, and the draft is gone. */
export function keepDraft(conversation: string, version: number, opinion: Opinion | null): void {
  const key = DRAFT + conversation;
  if (opinion === null) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, JSON.stringify({ version, opinion }));
}

export function draftOf(conversation: string, version: number): Opinion | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(DRAFT + conversation) ?? "null");
    return kept?.version === version ? (kept.opinion as Opinion) : undefined;
  } catch {
    return undefined;
  }
}
