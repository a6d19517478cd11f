/** What a new object of each kind begins as. Pure. */
import type { Json } from "../json";
import type { Kind } from "../kinds";

type Body = { [key: string]: Json };

const BLANKS: Partial<Record<Kind, Body>> = {
  "prompt-sets": {
    name: "",
    description: "",
    modes: ["dialogue"],
    segments: { user: "", assistant: "" },
    examples: [],
  },
  personas: { name: "", summary: "", traits: [], language: "en" },
  voices: { name: "", style: "" },
  pools: { name: "", values: [] },
  "filter-lists": {
    name: "",
    description: "",
    phrases: [],
    patterns: [],
    speaker: "assistant",
  },
  backends: { name: "", base_url: "", models: [blankModel()] },
};

/** The blank object; undefined for a kind that has pages of its own. */
export function blankOf(kind: Kind): Body | undefined {
  return BLANKS[kind];
}

export function blankModel(): Body {
  return { name: "", prices: null, max_concurrency: 32, context_tokens: 128_000 };
}

export function blankRates(): Body {
  return { input: "", output: "" };
}

export function blankBand(): Body {
  return { above_input_tokens: 200_000, rates: blankRates() };
}

export function blankWindow(): Body {
  return {
    start: "22:00",
    end: "06:00",
    weekdays: [0, 1, 2, 3, 4],
    zone: "UTC",
    rates: blankRates(),
    bands: [],
  };
}
