/** The events of a run's life in words. Pure. */
import type { LoggedEvent } from "../api";
import { absolute, money, plural } from "../format";

export type About = "state" | "kick";

export interface Told {
  what: string;
  why: string;
  about: About;
}

const WORDS: Record<string, string> = {
  "run.planned": "Planned",
  "run.started": "Started",
  "run.paused": "Paused",
  "run.resumed": "Resumed",
  "run.kicked": "Kicked",
  "run.cap_changed": "Cap changed",
  "run.cancel_requested": "Cancelling",
  "run.cancelled": "Cancelled",
  "run.completed": "Completed",
  "run.failed": "Failed",
};

/** What an event says; its bare type where it is not known. */
export function inWords({ type, event }: Pick<LoggedEvent, "type" | "event">): Told {
  return {
    what: WORDS[type] ?? type,
    why: why(type, event ?? {}),
    about: type === "run.kicked" ? "kick" : "state",
  };
}

function why(type: string, event: Record<string, unknown>): string {
  const { reason, detail, threads, not_before, target, lanes } = event;
  switch (type) {
    case "run.planned": {
      const plan = `${plural(Number(target ?? 0), "conversation")} on ${plural(Number(lanes ?? 0), "thread")}`;
      return not_before ? `${plan}, to start at ${absolute(String(not_before))}` : plan;
    }
    case "run.cap_changed": {
      const { spend_cap_micro: cap } = event;
      return typeof cap === "number" ? `${money(cap)} at most` : "no spend cap";
    }
    case "run.kicked":
      return `${plural(Number(threads ?? 0), "thread")} sent again`;
    case "run.paused":
    case "run.failed": {
      const code = reason === "requested" ? "by a person" : String(reason ?? "");
      return [code, String(detail ?? "")].filter((text) => text !== "").join(": ");
    }
    default:
      return "";
  }
}
