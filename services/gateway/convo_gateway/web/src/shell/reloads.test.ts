import { expect, it } from "vitest";
import { mayReload } from "./reloads";

it.each([
  [null, true],
  ["1000", false],
  ["-29000", true],
  ["5000", true],
  ["nonsense", true],
])("after a reload at %s another one is allowed: %s", (last, may) =>
  expect(mayReload(last, 2_000)).toBe(may),
);
