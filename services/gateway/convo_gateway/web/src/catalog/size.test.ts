import { expect, it } from "vitest";
import { namedBy } from "./size";

it("everything that a run config names is found once", () => {
  const role = { backend: "b", model: "m" };
  const config = {
    prompt_set: "set",
    personas: [{ name: "ana" }, { name: "bo" }, "carl"],
    voices: [{ name: "short" }],
    pools: ["topics"],
    roles: { assistant: role, user: role, judge: null },
  };
  expect([...namedBy(config)].sort()).toEqual([
    "backends/b",
    "personas/ana",
    "personas/bo",
    "personas/carl",
    "pools/topics",
    "prompt-sets/set",
    "voices/short",
  ]);
});
