/** What decides verdicts: what the form begins as, and what of it is changed. Pure. */
import { isObject, type Json, same } from "../catalog/json";

type Part = { [key: string]: Json };

/** What the changes are told from: the run's own settings, or those of a config as it stands today. */
export interface Base {
  threshold: number | null;
  near_duplicate: number | null;
  example_copy: number | null;
  rules: Part;
  /** Names of the filter lists. */
  lists: string[];
}

/** What a run froze, as far as it decides verdicts. */
export interface Frozen {
  base: Base;
  /** Lowest and highest score; none where the run had no judge. */
  scale: readonly [number, number] | undefined;
}

export function frozenOf(snapshot: unknown): Frozen {
  const config = part(part(snapshot).config);
  const lists = part(snapshot).filter_lists;
  const judge = part(config.judge);
  const [low, high] = Array.isArray(judge.scale) ? judge.scale : [];
  return {
    base: {
      ...baseOf(config),
      lists: Array.isArray(lists) ? lists.map((one) => String(part(one).name)) : [],
    },
    scale: typeof low === "number" && typeof high === "number" ? [low, high] : undefined,
  };
}

/** The settings of a run config. */
export function baseOf(config: Part): Base {
  const diversity = part(config.diversity);
  return {
    threshold: numberIn(part(config.judge).threshold),
    near_duplicate: numberIn(diversity.near_duplicate ?? null),
    example_copy: numberIn(diversity.example_copy ?? null),
    rules: part(config.rules),
    lists: Array.isArray(config.filter_lists) ? config.filter_lists.map(String) : [],
  };
}

const LIMITS = ["threshold", "near_duplicate", "example_copy"] as const;

/** What the form holds where these changes are made. */
export function formOf(base: Base, changes: Part): Part {
  const form: Part = { rules: { ...base.rules }, filter_lists: part(changes.filter_lists) };
  for (const name of LIMITS) form[name] = name in changes ? (changes[name] ?? null) : base[name];
  for (const [reason, change] of Object.entries(part(changes.rules))) {
    const before = rule(base.rules[reason]);
    const { enabled = true, parameters } = part(change);
    const all = Object.entries({ ...before.parameters, ...part(parameters) });
    const given = Object.fromEntries(all.filter(([, value]) => value !== null));
    (form.rules as Part)[reason] = { enabled, parameters: given };
  }
  return form;
}

/** What the form changes, as the gateway takes it: only what differs. */
export function changesOf(base: Base, form: Json): Part {
  const now = part(form);
  const changes: Part = {};
  for (const name of LIMITS) {
    const value = now[name] ?? null;
    if (!same(value, base[name])) changes[name] = value;
  }
  const rules = changedRules(base.rules, part(now.rules));
  if (Object.keys(rules).length > 0) changes.rules = rules;
  const lists = Object.entries(part(now.filter_lists)).filter(([, one]) => changesList(part(one)));
  if (lists.length > 0) changes.filter_lists = Object.fromEntries(lists);
  return changes;
}

function changedRules(before: Part, now: Part): Part {
  const changed: Part = {};
  for (const reason of new Set([...Object.keys(before), ...Object.keys(now)])) {
    const was = rule(before[reason]);
    const is = rule(now[reason]);
    if (same(was, is)) continue;
    const gone = Object.keys(was.parameters).filter((name) => !(name in is.parameters));
    const parameters: Part = { ...is.parameters };
    for (const name of gone) parameters[name] = null;
    const none = !is.enabled || Object.keys(parameters).length === 0;
    changed[reason] = { enabled: is.enabled, ...(none ? {} : { parameters }) };
  }
  return changed;
}

function changesList(one: Part): boolean {
  const some = (value: Json | undefined) => Array.isArray(value) && value.length > 0;
  return one.latest === true || one.left_out === true || some(one.add) || some(one.remove);
}

function rule(setting: Json | undefined): { enabled: boolean; parameters: Part } {
  const { enabled, parameters } = part(setting);
  return { enabled: enabled !== false, parameters: part(parameters) };
}

const WORDS: Record<(typeof LIMITS)[number], string> = {
  threshold: "threshold",
  near_duplicate: "near-duplicate limit",
  example_copy: "copy limit",
};

/** The changes in words, one each, such as `threshold 3.5` and `stage_direction off`. */
export function wordsOf(changes: Part): string[] {
  const words: string[] = [];
  if (typeof changes.config === "string") words.push(`as config ${changes.config} stands today`);
  for (const name of LIMITS) {
    if (name in changes) words.push(`${WORDS[name]} ${changes[name] ?? "off"}`);
  }
  for (const [reason, change] of Object.entries(part(changes.rules))) {
    const { enabled, parameters } = part(change);
    const set = Object.entries(part(parameters)).map(
      ([name, value]) => `${name.replaceAll("_", " ")} ${value ?? "at default"}`,
    );
    const on = set.length > 0 ? set.join(", ") : "on";
    words.push(`${reason} ${enabled === false ? "off" : on}`);
  }
  for (const [name, change] of Object.entries(part(changes.filter_lists))) {
    words.push(`list ${name} ${listWords(part(change))}`);
  }
  return words;
}

function listWords({ latest, left_out, add, remove }: Part): string {
  if (left_out === true) return "left out";
  const words = latest === true ? ["as it stands today"] : [];
  if (Array.isArray(add) && add.length > 0) words.push(`with ${add.length} more`);
  if (Array.isArray(remove) && remove.length > 0) words.push(`without ${remove.length}`);
  return words.join(", ");
}

/** Changes that an address names; none where it is no JSON. */
export function readChanges(text: string | undefined): Part {
  try {
    return part(JSON.parse(text ?? "{}"));
  } catch {
    return {};
  }
}

function part(value: unknown): Part {
  return isObject(value) ? value : {};
}

function numberIn(value: Json | undefined): number | null {
  return typeof value === "number" ? value : null;
}
