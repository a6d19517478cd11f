/** The kinds of catalog objects, in words. Pure. */
import {
  Drama,
  ListFilter,
  type LucideIcon,
  MessageSquareText,
  PenLine,
  Server,
  Shapes,
  SlidersHorizontal,
} from "lucide-react";

export const KINDS = [
  "prompt-sets",
  "personas",
  "voices",
  "pools",
  "filter-lists",
  "backends",
  "run-configs",
] as const;
export type Kind = (typeof KINDS)[number];

export interface KindWords {
  one: string;
  many: string;
  icon: LucideIcon;
  /** What objects of the kind are for, in a sentence or two. */
  purpose: string;
}

export const WORDS: Record<Kind, KindWords> = {
  "prompt-sets": {
    one: "prompt set",
    many: "Prompt sets",
    icon: MessageSquareText,
    purpose:
      "A prompt set holds what models are asked with: a segment for each role, with variables that every conversation fills in anew.",
  },
  personas: {
    one: "persona",
    many: "Personas",
    icon: Drama,
    purpose: "A persona is who the user side is: a summary, a few traits, and a language.",
  },
  voices: {
    one: "voice",
    many: "Voices",
    icon: PenLine,
    purpose: "A voice is how someone writes: length, punctuation, case, habits.",
  },
  pools: {
    one: "pool",
    many: "Pools",
    icon: Shapes,
    purpose: "A pool is a list of values; each conversation draws one for its prompts.",
  },
  "filter-lists": {
    one: "filter list",
    many: "Filter lists",
    icon: ListFilter,
    purpose:
      "A filter list holds phrases and patterns; a conversation with one of them is rejected.",
  },
  backends: {
    one: "backend",
    many: "Backends",
    icon: Server,
    purpose:
      "A backend is a model API: its address, its models, their limits and prices. Its key is only ever the name of an environment variable.",
  },
  "run-configs": {
    one: "run config",
    many: "Run configs",
    icon: SlidersHorizontal,
    purpose:
      "A run config names everything that a run needs: prompt set, personas, voices, models, rules, and how many conversations.",
  },
};

export function isKind(word: string): word is Kind {
  return (KINDS as readonly string[]).includes(word);
}

/** The kind of a document's word, such as `personas` of `persona`. */
export function kindOf(word: string): Kind | undefined {
  return KINDS.find((kind) => kind === word || kind === `${word}s`);
}

export function capital(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
