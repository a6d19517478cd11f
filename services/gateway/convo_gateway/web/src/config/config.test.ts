import { describe, expect, it } from "vitest";
import { type Body, inMode, type Kept, NEW_CONFIG, neededRoles, switched } from "./body";
import { distribution, meanTurns, offered } from "./lengths";
import { nameOf } from "./names";
import { sharesOf, weightOf } from "./shares";
import { toYaml } from "./yaml";

describe("parts that belong together", () => {
  it("switches a part with its role, and brings back what was there", () => {
    const kept: Kept = new Map();
    const judged = switched(NEW_CONFIG, "judge", true, kept);
    expect(neededRoles(judged)).toEqual(["user", "assistant", "judge"]);
    const tuned: Body = { ...judged, judge: { threshold: 4 } };
    const off = switched(tuned, "judge", false, kept);
    expect([off.judge, (off.roles as Body).judge]).toEqual([null, null]);
    expect(switched(off, "judge", true, kept)).toEqual(tuned);
  });
  it("a mode drops what it cannot do", () => {
    const kept: Kept = new Map();
    const remembering = switched(inMode(NEW_CONFIG, "sessions", kept), "memory", true, kept);
    expect(neededRoles(remembering)).toEqual(["user", "assistant", "memory"]);
    const script = inMode(remembering, "scripted", kept);
    expect(neededRoles(script)).toEqual(["assistant"]);
    expect([script.memory, (script.roles as Body).user]).toEqual([null, null]);
    expect((inMode(script, "dialogue", kept).roles as Body).user).toEqual(
      (NEW_CONFIG.roles as Body).user,
    );
  });
});

describe("mode import", () => {
  const mixed: Body = {
    ...NEW_CONFIG,
    mode: "sessions",
    personas: [{ name: "ana", weight: 2 }],
    pools: ["topics"],
    length_mix: [{ turns: [2, 2], share: 1 }],
    roles: { ...(NEW_CONFIG.roles as Body), user: { model: "one" }, assistant: { model: "two" } },
  };

  it("carries nothing that conversations are made from, and asks for no model", () => {
    const read = inMode(mixed, "import", new Map());
    expect(read).toMatchObject({ personas: [], voices: [], pools: [], length_mix: [] });
    expect(read.roles).toMatchObject({ user: null, assistant: null });
    expect(neededRoles(read)).toEqual([]);
    expect(read.target_count).toBe(1_000_000);
  });

  it("gives everything back, also what was switched on", () => {
    const kept: Kept = new Map();
    let made = switched(switched(mixed, "memory", true, kept), "roughen", true, kept);
    made = { ...made, memory: { max_characters: 150 }, target_count: 7 };
    const read = switched(inMode(made, "import", kept), "judge", true, kept);
    expect([read.memory, read.roughen, read.target_count]).toEqual([null, null, 7]);
    expect(neededRoles(read)).toEqual(["judge"]);
    expect(switched(inMode(read, "sessions", kept), "judge", false, kept)).toEqual(made);
  });

  it("becomes a whole config of another mode, also where it began as one of its own", () => {
    const begun = inMode(NEW_CONFIG, "import", new Map());
    expect(inMode(begun, "dialogue", new Map())).toEqual(NEW_CONFIG);
    expect((inMode(begun, "scripted", new Map()).roles as Body).user).toBeNull();
  });
});

describe("shares", () => {
  it("add up to 100", () => {
    expect(sharesOf([1, 1, 1])).toEqual(["33.4", "33.3", "33.3"]);
    const many = sharesOf(Array.from({ length: 700 }, () => 1));
    const sum = many.reduce((all, share) => all + Math.round(Number(share) * 100), 0);
    expect(sum).toBe(10_000);
  });
  it("leave out what is no weight", () => {
    expect(sharesOf([2, undefined, 2])).toEqual(["50.0", undefined, "50.0"]);
    expect([weightOf({ name: "a" }), weightOf({ weight: "x" }), weightOf({ weight: 0 })]).toEqual([
      1,
      undefined,
      undefined,
    ]);
  });
});

describe("lengths", () => {
  it("offers what the plan draws", () => {
    expect(offered(3, 6, "dialogue")).toEqual([4, 6]);
    expect(offered(5, 5, "sessions")).toEqual([6]);
    expect(offered(1, 1, "dialogue")).toEqual([2]);
    expect(offered(3, 5, "scripted")).toEqual([3, 4, 5]);
  });
  it("adds up over rows that overlap", () => {
    const mix = [
      { turns: [2, 4], share: 1 },
      { turns: [4, 4], share: 3 },
      { turns: [9, "x"], share: 5 },
    ];
    const bars = distribution(mix, "dialogue");
    expect(bars).toEqual([
      { turns: 2, share: 0.125 },
      { turns: 4, share: 0.875 },
    ]);
    expect(meanTurns(bars)).toBe(3.75);
  });
});

describe("names of parts", () => {
  it.each([
    ["/length_mix/1/turns/1", "Length mix, row 2, most turns"],
    ["/length_mix/0", "Length mix, row 1"],
    ["/roles/judge/model", "Roles, judge, model"],
    ["/judge/criteria/0/name", "Judge, criterion 1, name"],
    ["/judge/criteria/0/anchors/5", "Judge, criterion 1, score 5"],
    ["/rules/wrong_length/parameters/most_words", "Rules, wrong length, most words"],
    ["/judge/scale/0", "Judge, lowest score"],
    ["", "Run config"],
  ])("%s", (pointer, name) => expect(nameOf(pointer)).toBe(name));
});

describe("YAML", () => {
  it("writes blocks, and quotes what is not plainly a text", () => {
    const text = toYaml({
      name: "a-1",
      empty: "",
      no: "no",
      odd: 'x: "1"\n# y',
      none: null,
      personas: [{ name: "ana", weight: 1 }, { name: "bo" }],
      mix: [{ turns: [2, 4], share: 0.5 }],
      pools: ["topics"],
      rules: {},
      roles: { user: { backend: "b" } },
    });
    expect(text).toBe(
      [
        "name: a-1",
        'empty: ""',
        '"no": "no"',
        String.raw`odd: "x: \"1\"\n# y"`,
        "none: null",
        "personas:",
        "  - name: ana",
        "    weight: 1",
        "  - name: bo",
        "mix:",
        "  - turns: [2, 4]",
        "    share: 0.5",
        "pools: [topics]",
        "rules: {}",
        "roles:",
        "  user:",
        "    backend: b",
        "",
      ].join("\n"),
    );
  });
});
