import { describe, expect, it } from "vitest";
import { chosenOf, threeWay } from "./merge";

const base = { name: "p", summary: "old", segments: { user: "u", judge: "j" }, traits: ["a"] };

describe("two changes of one object", () => {
  it("of different fields are both kept", () => {
    const mine = { ...base, summary: "mine", segments: { user: "U", judge: "j" } };
    const theirs = { ...base, segments: { user: "u", judge: "J" } };
    const merge = threeWay(base, mine, theirs);
    expect(merge.both).toEqual([]);
    expect(merge.mine).toEqual(["/summary", "/segments/user"]);
    expect(merge.theirs).toEqual(["/segments/judge"]);
    expect(merge.merged).toEqual({ ...mine, segments: { user: "U", judge: "J" } });
  });

  it("of the same field are asked about", () => {
    const merge = threeWay(base, { ...base, traits: ["b"] }, { ...base, traits: ["c"] });
    expect(merge.both).toEqual([{ pointer: "/traits", base: ["a"], mine: ["b"], theirs: ["c"] }]);
    expect(chosenOf(merge, {})).toEqual({ ...base, traits: ["b"] });
    expect(chosenOf(merge, { "/traits": "theirs" })).toEqual({ ...base, traits: ["c"] });
  });

  it("of different entries of a list of objects are both kept", () => {
    const of = (a: number, b: number) => ({ models: [{ n: a }, { n: b }] });
    const merge = threeWay(of(1, 1), of(2, 1), of(1, 3));
    expect(merge.merged).toEqual(of(2, 3));
    expect(merge.both).toEqual([]);
  });

  it("that take out and change the same are asked about", () => {
    const { summary: _, ...without } = base;
    const merge = threeWay(base, without, { ...base, summary: "new" });
    expect(merge.both.map(({ pointer }) => pointer)).toEqual(["/summary"]);
    expect(chosenOf(merge, {})).toEqual(without);
  });
});
