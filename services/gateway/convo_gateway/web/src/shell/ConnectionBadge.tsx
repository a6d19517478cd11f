import { Tooltip } from "@mantine/core";
import { CloudOff, RefreshCw, Wifi } from "lucide-react";
import { useLineStatus } from "../live/hooks";

const LOOKS = {
  live: [Wifi, "good", "Changes appear at once"],
  reconnecting: [RefreshCw, "warn", "The line was lost; what you see may be old"],
  offline: [CloudOff, "bad", "The gateway cannot be reached; what you see is old"],
} as const;

/** Whether what is on the page is what is. */
export function ConnectionBadge() {
  const status = useLineStatus();
  const [Icon, tone, meaning] = LOOKS[status];
  return (
    <Tooltip label={meaning}>
      <span className="status connection" data-tone={tone} role="status">
        <Icon size={14} aria-hidden />
        <span className="connection-word">{status}</span>
      </span>
    </Tooltip>
  );
}
