import { Button, Menu } from "@mantine/core";
import { Download } from "lucide-react";
import { plural } from "../format";
import type { RunView } from "./runView";

/** Downloads of the run as JSONL, and the manifest that says what they hold. */
export function ExportMenu({ run }: { run: RunView }) {
  const at = `/api/v1/runs/${run.id}/export`;
  const made = run.target - run.open;
  const choices = [
    ["Whole run", "status=all", `${plural(made, "conversation")} with a verdict, and open ones`],
    ["Accepted only", "status=accepted", plural(run.accepted, "conversation")],
    ["Rejected and failed", "status=rejected&status=failed", "with the reason of each"],
  ] as const;
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <Button variant="default" leftSection={<Download size={16} aria-hidden />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Chat messages, one conversation a line</Menu.Label>
        {choices.map(([name, query, what]) => (
          <Menu.Item key={name} component="a" href={`${at}?format=jsonl&${query}`} download>
            {name}
            <span className="menu-detail">{what}</span>
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component="a" href={`${at}/manifest?format=jsonl&status=all`} target="_blank">
          Manifest
          <span className="menu-detail">counts, coverage, cost, checksum</span>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
