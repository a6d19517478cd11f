/** What an import is told to be, in words. Pure. */
import type { ImportShown } from "../api";
import { bytes, count, percent, plural } from "../format";

/** Why a row was refused, by code. */
const REASONS: Record<string, string> = {
  not_json: "The line is no JSON",
  not_text: "The line is no UTF-8 text",
  too_long: "More than is taken of a line or a conversation",
  not_a_conversation: "No list of messages",
  empty: "No message of a user or an assistant",
  bad_message: "A message that is no object",
  bad_role: "A speaker that is not known, or a system message after the first turn",
  no_text: "A message without text: null, a number, a picture",
  tool_call: "Calls of tools, or their answers",
  duplicate: "Says exactly what an earlier row says",
};

/** The meaning of a code; empty where it is not known. */
export function reasonWords(code: string): string {
  return REASONS[code] ?? "";
}

/** Such as `jsonl, gzip, 12.3 MB`. */
export function fileWords({ format, bytes: size }: Pick<ImportShown, "format" | "bytes">): string {
  return [format, bytes(size)].filter((text) => text !== "").join(", ");
}

/** Such as `312 of 320 rows taken`. */
export function takenWords({ taken, read }: Pick<ImportShown, "taken" | "read">): string {
  return `${count(taken)} of ${plural(read, "row")} taken`;
}

/** A part with its share of the whole, such as `8 of 320 rows (2.5 %)`. */
export function ofRows(part: number, whole: number): string {
  return whole === 0 ? "no row yet" : `of ${plural(whole, "row")} (${percent(part / whole)})`;
}

/** How far the reading is; a file that waits has no format yet. */
export function readingWords(of: Pick<ImportShown, "format" | "read" | "taken" | "refused">) {
  if (of.format === "") return "Waiting to be read: files are read one after the other.";
  if (of.read === 0) return "Reading the first rows.";
  return `${plural(of.read, "row")} read so far: ${count(of.taken)} taken, ${count(of.refused)} refused.`;
}

/** What was taken, each number with what it was counted over. */
export function heldWords({ taken, turns, characters }: ImportShown): string {
  if (taken === 0) return "No conversation.";
  const each = (turns / taken).toFixed(1);
  return `${plural(taken, "conversation")} with ${plural(turns, "turn")} (${each} each on average) and ${plural(characters, "character")}.`;
}

/** Such as `The first 100 of 12,000 refused rows; the first 1,000 are kept with their reason.` */
export function shownWords(shown: number, kept: number, of: number): string {
  if (shown === of) return `All ${count(of)} refused rows.`;
  const rest = kept < of ? `; the first ${count(kept)} are kept with their reason` : "";
  return `The first ${count(shown)} of ${count(of)} refused rows${rest}.`;
}
