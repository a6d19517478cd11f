import { Alert, Text } from "@mantine/core";
import { CircleX, Hourglass, Info, PauseCircle } from "lucide-react";
import { plural } from "../format";
import { Plain } from "../parts/Plain";
import { advice } from "./advice";
import type { RunView } from "./runView";

/** Why the run is as it is, why it does not move, and what to do. Nothing where it moves. */
export function Notice({ run }: { run: RunView }) {
  const { status, reason, detail, happened } = run;
  const told = happened.status === status ? happened.why_not_moving : null;
  const todo = advice(run);
  const said = reason && reason !== "requested" ? [reason, detail].filter(Boolean).join(": ") : "";
  const flying = status === "paused" ? (run.inFlight ?? 0) : 0;
  const line = told ?? said;
  if (!line && !todo && flying === 0) return null;
  const bad = status === "failed" || (status === "paused" && said !== "");
  const Icon = bad ? CircleX : status === "paused" ? PauseCircle : told ? Hourglass : Info;
  return (
    <Alert
      variant="outline"
      color={bad ? "red" : status === "paused" ? "yellow" : "gray"}
      icon={<Icon size={18} aria-hidden />}
      className="notice"
      role="status"
    >
      {flying > 0 && (
        <Text>Pausing: {plural(flying, "model call")} in flight finish, nothing new is sent.</Text>
      )}
      {line && (
        <Text>
          <Plain text={line} />
        </Text>
      )}
      {todo && <Text c="dimmed">{todo}</Text>}
    </Alert>
  );
}
