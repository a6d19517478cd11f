import { count } from "../format";

export interface Verdicts {
  target: number;
  accepted: number;
  rejected: number;
  failed: number;
}

const SEGMENTS = ["accepted", "rejected", "failed"] as const;

/** How far a run is: accepted, rejected, failed, and what is left. Patterns and borders say it without colours. */
export function VerdictBar({ of, labels = false }: { of: Verdicts; labels?: boolean }) {
  const whole = Math.max(1, of.target);
  const said = SEGMENTS.map((name) => `${count(of[name])} ${name}`).join(", ");
  return (
    <div
      className="verdicts"
      data-large={labels || undefined}
      role="img"
      aria-label={`${said} of ${count(of.target)}`}
    >
      {SEGMENTS.filter((name) => of[name] > 0).map((name) => (
        <span
          key={name}
          className="verdict"
          data-verdict={name}
          style={{ flexBasis: `${(of[name] / whole) * 100}%` }}
        >
          {labels && <span className="verdict-label">{name}</span>}
        </span>
      ))}
    </div>
  );
}
