import { describe, expect, it } from "vitest";
import type { SavedView } from "../api";
import { parseSearch, stringifySearch } from "../search";
import { matches } from "./facetWords";
import { readRange, wordsOfRange } from "./ranges";
import { type CorpusSearch, queryOf, readCorpusSearch, searchOfView } from "./search";

function kept(search: CorpusSearch): CorpusSearch {
  const back = readCorpusSearch(parseSearch(stringifySearch({ ...search })));
  return JSON.parse(JSON.stringify(back));
}

describe("the address of the corpus", () => {
  it("holds every filter, also in names with commas and in any script", () => {
    const search: CorpusSearch = {
      run: ["run-a", "run-b"],
      persona: ["Ana, who asks", "100 % sure", "李雷", "%2C"],
      status: ["rejected"],
      layer: ["0", "3"],
      review: ["none"],
      edited: "no",
      turns: "2..8",
      score: "-1..",
      cost: "..0.000001",
      q: '"我想要" أريد',
      sort: "-score",
      cols: ["name", "score"],
      density: "compact",
      peek: "run-a.0.1",
    };
    expect(kept(search)).toEqual(search);
    expect(queryOf(search)).toMatchObject({
      layer: [0, 3],
      edited: false,
      turns_from: 2,
      turns_to: 8,
      score_from: -1,
      cost_to: 0.000001,
      text: '"我想要" أريد',
    });
  });

  it("loses what is unknown, the default, or too much", () => {
    const many = Array.from({ length: 99 }, (_, at) => `p${at}`);
    expect(kept({ sort: "-created", persona: many })).toEqual({ persona: many.slice(0, 30) });
    expect(kept({ turns: "1.5..", score: "high..", cost: "-1..", cols: [] })).toEqual({});
    expect(readCorpusSearch({ status: "melted", layer: "7", edited: "maybe" })).toEqual({});
  });

  it("is what a saved view says", () => {
    const view: SavedView = {
      id: "view-1",
      name: "Mine",
      version: 1,
      filter: { status: ["accepted"], edited: true, score_from: 4.5, text: "退款" },
      sort: "-cost",
      columns: [],
      density: "comfortable",
      created_at: "",
      changed_at: "",
    };
    expect(JSON.parse(JSON.stringify(searchOfView(view)))).toEqual({
      status: ["accepted"],
      edited: "yes",
      score: "4.5..",
      q: "退款",
      sort: "-cost",
      view: "view-1",
    });
  });
});

describe("words of numbers", () => {
  it("says a range", () => {
    expect(readRange("..", {})).toBeUndefined();
    expect(wordsOfRange("2..", String)).toBe("at least 2");
    expect(wordsOfRange("..8", String)).toBe("at most 8");
    expect(wordsOfRange("2..2", String)).toBe("2");
  });

  it("says where counting stopped", () => {
    const counted = { total: 12, exact: true, of: 960, facets: [] };
    expect(matches(counted, true)).toBe("12 of 960 conversations");
    expect(matches({ ...counted, total: 10_000, exact: false }, true)).toBe(
      "At least 10,000 of 960 conversations",
    );
    expect(matches({ ...counted, total: 960 }, false)).toBe("960 conversations");
  });
});
