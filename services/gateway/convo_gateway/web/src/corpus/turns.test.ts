import { describe, expect, it } from "vitest";
import type { Hit } from "../api";
import { pieces } from "../visible";
import { allHits, marked } from "./marks";

const hit = (reason: string, start: number | null, end: number | null): Hit => ({
  reason,
  layer: 1,
  precedence: 10,
  turn: 0,
  start,
  end,
  excerpt: "",
  detail: "",
  neighbour: null,
  similarity: null,
});

describe("the words that fired a reason", () => {
  it("are cut out", () => {
    expect(marked("He *smiles* now", [hit("stage_direction", 3, 11)])).toEqual([
      { text: "He ", reasons: [] },
      { text: "*smiles*", reasons: ["stage_direction"] },
      { text: " now", reasons: [] },
    ]);
  });

  it("are found behind characters of two units", () => {
    const text = "🧑‍🚒 says *hi*";
    const start = [...text].indexOf("*");
    const found = marked(text, [hit("x", start, start + 4)]);
    expect(found.at(-1)).toEqual({ text: "*hi*", reasons: ["x"] });
  });

  it("may overlap, and may be beyond the end", () => {
    const found = marked("abcdef", [hit("one", 1, 4), hit("two", 3, 99)]);
    expect(found.map(({ text, reasons }) => [text, ...reasons])).toEqual([
      ["a"],
      ["bc", "one"],
      ["d", "one", "two"],
      ["ef", "two"],
    ]);
  });

  it("may be none", () => {
    expect(marked("abc", [hit("whole", null, null)])).toEqual([{ text: "abc", reasons: [] }]);
    expect(marked("", [])).toEqual([]);
  });

  it("are listed in precedence order", () => {
    const late = { ...hit("judge", null, null), layer: 3 };
    const early = { ...hit("early", null, null), precedence: 1 };
    expect(allHits(late, [hit("mid", null, null), early]).map(({ reason }) => reason)).toEqual([
      "early",
      "mid",
      "judge",
    ]);
  });
});

describe("hidden characters", () => {
  it("are told by name", () => {
    expect(pieces("pay\u202eevil\u0007")).toEqual([
      { text: "pay" },
      { code: "U+202E", text: "right-to-left override" },
      { text: "evil" },
      { code: "U+0007", text: "bell" },
    ]);
    expect(pieces("\u{e0041}")).toEqual([{ code: "U+E0041", text: "tag A" }]);
  });

  it("leave alone what scripts and emoji need", () => {
    const text = "👩‍💻 می‌خواهم\n\tעברית ❤️";
    expect(pieces(text)).toEqual([{ text }]);
    expect(pieces("a\r\nb")).toEqual([{ text: "a" }, { text: "\nb" }]);
  });
});
