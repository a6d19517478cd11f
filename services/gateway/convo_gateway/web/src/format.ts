/** Numbers, money and time in words, in English whatever the browser's language is. */

const WHOLE = new Intl.NumberFormat("en-US");
const DOLLARS = { style: "currency", currency: "USD", minimumFractionDigits: 2 } as const;
const CENTS = new Intl.NumberFormat("en-US", DOLLARS);
const MICRO = 1_000_000;

export const DASH = "–";
const BRIEF = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 2 });

export function count(value: number): string {
  return WHOLE.format(value);
}

/** Such as `950` or `2.75M`, where there is little room. */
export function brief(value: number): string {
  return value < 10_000 ? count(value) : BRIEF.format(value);
}

/** Dollars of micro-dollars: cents, and below one dollar 4 significant digits. */
export function money(micro: number | null | undefined): string {
  if (micro === null || micro === undefined) return "unknown";
  const usd = micro / MICRO;
  const size = Math.abs(usd);
  if (size === 0 || size >= 1) return CENTS.format(usd);
  const digits = 3 - Math.floor(Math.log10(size));
  return new Intl.NumberFormat("en-US", { ...DOLLARS, maximumFractionDigits: digits }).format(usd);
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)}\u00a0%`;
}

/** Such as `1 h 5 min`; the two largest units. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const parts: [number, string][] = [
    [Math.floor(whole / 86_400), "d"],
    [Math.floor(whole / 3_600) % 24, "h"],
    [Math.floor(whole / 60) % 60, "min"],
    [whole % 60, "s"],
  ];
  const first = parts.findIndex(([value]) => value > 0);
  if (first === -1) return "0 s";
  return parts
    .slice(first, first + 2)
    .filter(([value]) => value > 0)
    .map(([value, unit]) => `${value} ${unit}`)
    .join(" ");
}

/** Such as `3 min ago` or `in 2 h`. */
export function relative(at: string, now: number): string {
  const seconds = (now - Date.parse(at)) / 1000;
  const size = Math.abs(seconds);
  if (size < 10) return "just now";
  const [value, unit] =
    size < 60
      ? [size, "s"]
      : size < 3_600
        ? [size / 60, "min"]
        : size < 86_400
          ? [size / 3_600, "h"]
          : [size / 86_400, "d"];
  const text = `${Math.floor(value)} ${unit}`;
  return seconds >= 0 ? `${text} ago` : `in ${text}`;
}

/** Such as `2026-03-01 12:00:00 UTC`. */
export function absolute(at: string): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** Such as `1 conversation` or `2 conversations`. */
export function plural(value: number, word: string): string {
  return `${count(value)} ${word}${value === 1 ? "" : "s"}`;
}

const FEW = 8;

/** Such as `a, b, c`; of many the first, and how many there are. */
export function several(names: readonly string[]): string {
  if (names.length <= FEW) return names.join(", ");
  return `${names.slice(0, FEW - 2).join(", ")} and ${count(names.length - FEW + 2)} more, ${count(names.length)} in all`;
}

const BYTES: [number, string][] = [
  [1e9, "GB"],
  [1e6, "MB"],
  [1e3, "kB"],
];

/** Such as `12.3 MB`. */
export function bytes(value: number): string {
  const [size, unit] = BYTES.find(([least]) => value >= least) ?? [1, "B"];
  return `${(value / size).toFixed(size > 1 && value < size * 100 ? 1 : 0)} ${unit}`;
}
