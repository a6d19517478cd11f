import { expect, it } from "vitest";
import { hunksOf } from "./textDiff";

it("lines that differ are told with their numbers and what is around them", () => {
  const before = "a\nb\nc\nd\ne\nf\ng\nh\ni\n";
  const [hunk, ...others] = hunksOf(before, before.replace("e\n", "E\nE2\n")) ?? [];
  expect(others).toEqual([]);
  expect(hunk?.map(({ sign, text }) => `${sign}${text}`)).toEqual([
    " b",
    " c",
    " d",
    "-e",
    "+E",
    "+E2",
    " f",
    " g",
    " h",
  ]);
  expect(hunk?.[3]).toMatchObject({ before: 5, after: undefined });
  expect(hunk?.at(-1)).toMatchObject({ before: 8, after: 9 });
});

it("the same texts have no hunk", () => expect(hunksOf("a\n", "a\n")).toEqual([]));
