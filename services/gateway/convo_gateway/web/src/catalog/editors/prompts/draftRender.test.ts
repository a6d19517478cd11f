import { describe, expect, it } from "vitest";
import { type Cast, poolsIn, problemsOf, requestOf } from "./draftRender";

const cast: Cast = {
  persona: "ana",
  voice: undefined,
  values: {},
  mode: undefined,
  turns: 4,
  turn: 9,
  seed: 1,
};
const draft = {
  name: "",
  segments: { user: "About {{ topics }} and {{simple_skills}}" },
  examples: [
    { name: "", turns: ["", ""] },
    { name: "lamp", turns: ["Hi", "Hello"] },
  ],
};

it("pools are found by their variables", () => {
  expect(poolsIn(draft, ["goals", "simple-skills", "topics"])).toEqual(["simple-skills", "topics"]);
});

describe("a request", () => {
  it("draws, and leaves out examples that are not written yet", () => {
    expect(requestOf(draft, cast, ["topics"], {})).toMatchObject({
      prompt_set: { name: "draft", examples: [{ name: "lamp" }] },
      persona: "ana",
      voice: { name: "plain" },
      pools: ["topics"],
      turn: 4,
    });
  });

  it("carries values by hand, and beside them those that were drawn", () => {
    const byHand = { ...cast, values: { topics: "bread" } };
    const drawn = { "simple-skills": "whistling" };
    expect(requestOf(draft, byHand, ["simple-skills", "topics"], drawn).pools).toEqual({
      topics: "bread",
      "simple-skills": "whistling",
    });
    expect(requestOf(draft, byHand, ["simple-skills", "topics"], {}).pools).toEqual([
      "simple-skills",
      "topics",
    ]);
  });
});

it("a problem is told once", () => {
  const problem = { message: "line 2 of the segment: unknown", line: 2 };
  const rendering = {
    segments: { user: { problem: { message: "undefined", line: 2 }, sent: true } },
    pools: {},
    problems: [{ ...problem, pointer: "/segments/user" }],
  };
  expect(problemsOf(rendering, "user")).toHaveLength(1);
  expect(problemsOf({ ...rendering, problems: [] }, "user")).toHaveLength(1);
  expect(problemsOf(rendering, "judge")).toEqual([]);
});
