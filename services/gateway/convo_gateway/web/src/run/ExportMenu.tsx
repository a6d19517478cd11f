import { Button, Menu } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { memo, useState } from "react";
import { ExportDialog } from "../exports/ExportDialog";
import { plural } from "../format";
import type { RunView } from "./runView";
import { runKey } from "./useRun";

/** A data set of the run, or its lines at once with the manifest that says what they hold. */
export const ExportMenu = memo(function ExportMenu({ run }: { run: string }) {
  const [asking, setAsking] = useState(false);
  const navigate = useNavigate();
  return (
    <>
      <Menu position="bottom-end" width={260} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button variant="default" leftSection={<Download size={16} aria-hidden />}>
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setAsking(true)}>
            Data set
            <span className="menu-detail">Parquet, ShareGPT, splits and more</span>
          </Menu.Item>
          <Menu.Item onClick={() => void navigate({ to: "/exports", search: { run } })}>
            Exports of this run
          </Menu.Item>
          <Menu.Divider />
          <Menu.Label>At once, JSON lines</Menu.Label>
          <Choices id={run} />
        </Menu.Dropdown>
      </Menu>
      <ExportDialog
        opened={asking}
        onClose={() => setAsking(false)}
        source={{ run }}
        of="of this run"
      />
    </>
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
