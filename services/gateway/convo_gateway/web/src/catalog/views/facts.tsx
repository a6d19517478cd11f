import type { ReactNode } from "react";
import { Plain } from "../../parts/Plain";

export type Fact = [name: string, value: ReactNode];

/** Names with values; those without a value are left out. Text is shown as somebody else's. */
export function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl className="facts catalog-facts">
      {facts
        .filter(([, value]) => value !== "" && value !== null && value !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{typeof value === "string" ? <Plain text={value} /> : value}</dd>
          </div>
        ))}
    </dl>
  );
}
