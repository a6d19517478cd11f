/** State in the address: flat text, lists with commas, nothing for a default. */

export type Search = Record<string, string | string[] | undefined>;

export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Record<string, unknown>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    const text = Array.isArray(value) ? value.map(listed).join(",") : String(value ?? "");
    if (text !== "") parameters.set(name, text);
  }
  const text = parameters.toString().replaceAll("%2C", ",").replaceAll("%3A", ":");
  return text === "" ? "" : `?${text}`;
}

/** An item of a list, whose own commas are no commas of the list. */
function listed(item: unknown): string {
  return String(item).replaceAll("%", "%25").replaceAll(",", "%2C");
}

/** The one of the words that the value is; undefined where it is none of them. */
export function oneOf<Word extends string>(
  value: unknown,
  words: readonly Word[],
): Word | undefined {
  return words.find((word) => word === value);
}

/** Those of the words that the value lists; undefined where it lists none. */
export function someOf<Word extends string>(
  value: unknown,
  words: readonly Word[],
): Word[] | undefined {
  const listed = Array.isArray(value) ? value : String(value ?? "").split(",");
  const found = words.filter((word) => listed.includes(word));
  return found.length > 0 ? found : undefined;
}

/** Text of at most so many characters; undefined where it is empty. */
export function shortText(value: unknown, most = 100): string | undefined {
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  return text.slice(0, most) || undefined;
}
