/** Days that the list of runs is narrowed to, in UTC as all times of the pages are. Pure. */

export const PRESETS = ["today", "week", "month"] as const;
export type Preset = (typeof PRESETS)[number];

export interface Days {
  /** First day, such as `2026-03-01`. */
  from?: string | undefined;
  /** Last day; it counts too. */
  to?: string | undefined;
}

const BEFORE: Record<Preset, number> = { today: 0, week: 6, month: 29 };
const DAY_MS = 86_400_000;

/** The day that it is in UTC. */
export function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

/** The day in the form of the address; undefined where there is no such day. */
export function realDay(text: string | undefined): string | undefined {
  if (text === undefined || !/^\d{4}-\d\d-\d\d$/.test(text) || text.startsWith("0000")) return;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(time) || dayOf(time) !== text ? undefined : text;
}

/** The days that a choice means on a day; the day itself is the last of them. */
export function daysOf(preset: Preset, today: string): Days {
  return { from: dayOf(Date.parse(`${today}T00:00:00Z`) - BEFORE[preset] * DAY_MS) };
}

/** The choice that means these days; undefined where they were chosen one by one. */
export function presetOf({ from, to }: Days, today: string): Preset | undefined {
  if (to !== undefined) return undefined;
  return PRESETS.find((preset) => daysOf(preset, today).from === from);
}
