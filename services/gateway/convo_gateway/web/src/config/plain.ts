/** What the check says of a part, shorter where the form shows the rest. Pure. */
import { plainer } from "../catalog/errors";

const SHORTER: [RegExp, string][] = [
  [/^found the text "", expected .*$/s, "This is needed."],
  [/^found nothing.*expected a number.*$/s, "A number is needed."],
  [/^found a list of 0, expected at least 1$/, "Add at least one."],
];

export function plain(message: string): string {
  const said = SHORTER.find(([pattern]) => pattern.test(message))?.[1] ?? plainer(message);
  return said.charAt(0).toUpperCase() + said.slice(1);
}
