/** The run config that is edited: what a new one begins as, and what belongs together in it. Pure. */
import { isObject, type Json } from "../catalog/json";
import { JUDGE_HEALTH } from "./judgeHealth";

export type Body = { [key: string]: Json };
export type Mode = "dialogue" | "scripted" | "sessions" | "import";
export type Role = "user" | "assistant" | "judge" | "memory" | "roughen";

/** Parts that need a model of their own: switched on and off together with their role. */
export const OPTIONAL_PARTS = ["judge", "roughen", "memory"] as const;
export type OptionalPart = (typeof OPTIONAL_PARTS)[number];

export const MODES: Record<Mode, string> = {
  dialogue:
    "Two models talk in turn: one plays the person, one the assistant. Every turn is a call of its own.",
  scripted:
    "One model writes the whole conversation in a single call. Cheaper and faster, and a little smoother.",
  sessions:
    "As dialogue, and personas come back: each thread is one person, and with memory they recall the conversations before.",
  import:
    "Nothing is made: the conversations of a file, brought in under Imports, go through rules, diversity and judge.",
};

/** What conversations are made from; mode import has no use for it. */
const MAKING = ["personas", "voices", "pools", "length_mix"] as const;
const TARGET = 100;
/** Of a new config of mode import: so many that no file is cut off unasked. */
const ALL = 1_000_000;

export const NEW_ROLE: Body = {
  backend: "",
  model: "",
  temperature: null,
  top_p: null,
  max_tokens: 512,
  send_seed: true,
  accept_finish: ["stop"],
};

const NEW_PARTS: Record<OptionalPart, Body> = {
  judge: {
    criteria: [{ name: "", question: "", weight: 1 }],
    scale: [1, 5],
    threshold: 3.5,
    retries: 1,
    health: JUDGE_HEALTH,
  },
  memory: { max_characters: 2_000 },
  roughen: { share: 0.3, strength: "medium" },
};

export const NEW_CONFIG: Body = {
  name: "",
  description: "",
  mode: "dialogue",
  target_count: TARGET,
  seed: 1,
  threads: 16,
  language: "en",
  prompt_set: "",
  personas: [],
  voices: [],
  pools: [],
  filter_lists: [],
  length_mix: [{ turns: [4, 8], share: 1 }],
  roles: { user: NEW_ROLE, assistant: NEW_ROLE, judge: null, memory: null, roughen: null },
  rules: {},
  diversity: { near_duplicate: 0.7, example_copy: 0.5, distinct3_floor: null },
  judge: null,
  memory: null,
  roughen: null,
  retries: 3,
  spend_cap_usd: null,
  confirm_above_usd: null,
};

export function modeOf(body: Json | undefined): Mode {
  const mode = isObject(body) ? body.mode : undefined;
  return typeof mode === "string" && Object.hasOwn(MODES, mode) ? (mode as Mode) : "dialogue";
}

export function has(body: Json | undefined, part: OptionalPart): boolean {
  return isObject(body) && body[part] !== null && body[part] !== undefined;
}

/** The roles whose model the config has to name, in the order in which a conversation needs them. */
export function neededRoles(body: Json | undefined): Role[] {
  return [...sidesOf(modeOf(body)), ...OPTIONAL_PARTS.filter((part) => has(body, part))];
}

function sidesOf(mode: Mode): Role[] {
  if (mode === "import") return [];
  return mode === "scripted" ? ["assistant"] : ["user", "assistant"];
}

/** What was switched off, to have it back as it was when it is switched on again. */
export type Kept = Map<string, Json>;

/** The config with a part and its role switched on or off. */
export function switched(body: Body, part: OptionalPart, on: boolean, kept: Kept): Body {
  return {
    ...body,
    [part]: on ? (kept.get(part) ?? NEW_PARTS[part]) : put(kept, part, body[part]),
    roles: withRole(body, part, on, kept),
  };
}

/** The config in another mode: what the mode cannot do is switched off, and what it needs is there. */
export function inMode(body: Body, mode: Mode, kept: Kept): Body {
  const before = modeOf(body);
  let next: Body = { ...body, mode };
  if (mode === "import" && before !== "import") next = withoutMaking(next, kept);
  if (mode !== "import" && before === "import") next = withMaking(next, kept);
  for (const side of ["assistant", "user"] as const) {
    next = { ...next, roles: withRole(next, side, sidesOf(mode).includes(side), kept) };
  }
  return mode !== "sessions" && has(next, "memory") ? switched(next, "memory", false, kept) : next;
}

const SWITCHED_ON = "parts that were on";

function withoutMaking(body: Body, kept: Kept): Body {
  const on = (["memory", "roughen"] as const).filter((part) => has(body, part));
  kept.set(SWITCHED_ON, on);
  let next = body;
  for (const part of on) next = switched(next, part, false, kept);
  for (const part of MAKING) {
    put(kept, part, next[part]);
    next = { ...next, [part]: [] };
  }
  return next.target_count === TARGET ? { ...next, target_count: ALL } : next;
}

function withMaking(body: Body, kept: Kept): Body {
  let next = body;
  for (const part of MAKING) next = { ...next, [part]: kept.get(part) ?? NEW_CONFIG[part] ?? [] };
  const on = kept.get(SWITCHED_ON);
  for (const part of ["memory", "roughen"] as const) {
    if (Array.isArray(on) && on.includes(part)) next = switched(next, part, true, kept);
  }
  return next.target_count === ALL ? { ...next, target_count: TARGET } : next;
}

function withRole(body: Body, role: Role, on: boolean, kept: Kept): Body {
  const roles = isObject(body.roles) ? body.roles : {};
  const is = isObject(roles[role]);
  if (on === is) return roles;
  const key = `roles.${role}`;
  return {
    ...roles,
    [role]: on ? (kept.get(key) ?? likeAssistant(roles)) : put(kept, key, roles[role]),
  };
}

function put(kept: Kept, key: string, part: Json | undefined): null {
  if (part !== null && part !== undefined) kept.set(key, part);
  return null;
}

function likeAssistant(roles: Body): Body {
  const { backend = "", model = "" } = isObject(roles.assistant) ? roles.assistant : {};
  return { ...NEW_ROLE, backend, model };
}
