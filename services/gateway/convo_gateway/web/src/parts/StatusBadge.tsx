import {
  Ban,
  CircleAlert,
  CircleCheck,
  CirclePause,
  CircleX,
  Clock,
  Hourglass,
  LoaderCircle,
  type LucideIcon,
} from "lucide-react";
import type { ConversationSummary, ExportShown, ImportShown, RunSummary } from "../api";

type Status =
  | RunSummary["status"]
  | ConversationSummary["status"]
  | ExportShown["status"]
  | ImportShown["status"];
type Tone = "busy" | "good" | "bad" | "warn" | "calm";

const LOOKS: Record<Status, [LucideIcon, Tone]> = {
  queued: [Clock, "calm"],
  running: [LoaderCircle, "busy"],
  paused: [CirclePause, "warn"],
  cancelling: [Hourglass, "warn"],
  completed: [CircleCheck, "good"],
  cancelled: [Ban, "calm"],
  failed: [CircleX, "bad"],
  open: [Hourglass, "busy"],
  accepted: [CircleCheck, "good"],
  rejected: [CircleAlert, "warn"],
  done: [CircleCheck, "good"],
  expired: [Clock, "calm"],
  reading: [LoaderCircle, "busy"],
  ready: [CircleCheck, "good"],
  broken: [CircleX, "bad"],
};

/** A status as icon and word; the colour only repeats them. */
export function StatusBadge({ status }: { status: Status }) {
  const [Icon, tone] = LOOKS[status];
  return (
    <span className="status" data-tone={tone} data-status={status}>
      <Icon size={14} aria-hidden />
      {status}
    </span>
  );
}
