/** What the gateway says of a field, in words for people. Pure. */

const NAME_PATTERN = "^[a-z0-9][a-z0-9._-]{0,99}$";

const PLAINER: [RegExp, string][] = [
  [/^Field required$/, "This is needed."],
  [/^String should have at least 1 character$/, "This is needed."],
  [/^Input should be a valid (number|integer|decimal).*$/, "A number is needed."],
  [/^Decimal input should be .*$/, "A number is needed."],
  [/^Value error, (.*)$/s, "$1"],
  [/^(Tuple|List) should have at least 1 item.*$/, "At least one is needed."],
];
const BOUNDS: [RegExp, string][] = [
  [/^Input should be greater than or equal to (-?[\d.]+)$/, "At least"],
  [/^Input should be greater than (-?[\d.]+)$/, "More than"],
  [/^Input should be less than or equal to (-?[\d.]+)$/, "At most"],
  [/^Input should be less than (-?[\d.]+)$/, "Less than"],
];

const TOO_FEW = /^(Tuple|List) should have at least /;

interface Said {
  pointer?: string;
  detail: string;
}

/** The errors by pointer; a list is not too short where it only has entries with errors of their own. */
export function pointed(errors: readonly Said[]): { pointer: string; detail: string }[] {
  const found = errors.map(({ pointer = "", detail }) => ({ pointer, detail }));
  return found.filter(
    ({ pointer, detail }) =>
      !TOO_FEW.test(detail) || !found.some((other) => other.pointer.startsWith(`${pointer}/`)),
  );
}

export function plainer(detail: string): string {
  if (detail.includes(NAME_PATTERN)) {
    return "Lower-case letters, digits, dots, dashes and underscores, at most 100; the first is a letter or digit.";
  }
  for (const [pattern, words] of PLAINER) {
    if (pattern.test(detail)) return detail.replace(pattern, words);
  }
  for (const [pattern, words] of BOUNDS) {
    const bound = pattern.exec(detail)?.[1];
    if (bound !== undefined) return `${words} ${Number(bound).toLocaleString("en-US")}.`;
  }
  return detail;
}
