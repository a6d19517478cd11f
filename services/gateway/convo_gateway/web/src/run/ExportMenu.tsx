import { Button, Menu } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { memo } from "react";
import { plural } from "../format";
import type { RunView } from "./runView";
import { runKey } from "./useRun";

/** Downloads of the run as JSONL, and the manifest that says what they hold. */
export const ExportMenu = memo(function ExportMenu({ run }: { run: string }) {
  return (
    <Menu position="bottom-end" width={260} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button variant="default" leftSection={<Download size={16} aria-hidden />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Choices id={run} />
      </Menu.Dropdown>
    </Menu>
  );
});

function Choices({ id }: { id: string }) {
  const run = useQueryClient().getQueryData<RunView>(runKey(id));
  if (run === undefined) return null;
  const at = `/api/v1/runs/${id}/export`;
  const made = run.target - run.open;
  const choices = [
    ["Whole run", "status=all", `${plural(made, "conversation")} with a verdict, JSONL`],
    ["Accepted only", "status=accepted", plural(run.accepted, "conversation")],
    ["Rejected and failed", "status=rejected&status=failed", "with the reason of each"],
  ] as const;
  return (
    <>
      {choices.map(([name, query, what]) => (
        <Menu.Item key={name} component="a" href={`${at}?format=jsonl&${query}`} download>
          {name}
          <span className="menu-detail">{what}</span>
        </Menu.Item>
      ))}
      <Menu.Item component="a" href={`${at}/manifest?format=jsonl&status=all`} target="_blank">
        Manifest
        <span className="menu-detail">counts, coverage, cost, checksum</span>
      </Menu.Item>
    </>
  );
}
