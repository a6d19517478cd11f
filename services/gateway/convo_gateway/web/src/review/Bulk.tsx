/** The queue as a list: tick some, say the same of all of them. */
import { Alert, Button, Checkbox, Group, Stack, TextInput } from "@mantine/core";
import { useMemo, useState } from "react";
import type { BulkDone, Queue, Queued } from "../api";
import { count, plural } from "../format";
import { type Column, DataGrid } from "../parts/DataGrid";
import { Plain } from "../parts/Plain";
import { StatusBadge } from "../parts/StatusBadge";
import { Failed } from "../parts/states";
import { useKey } from "../shell/keys";
import { DECIDED, type Decision } from "./opinion";
import { useSayOfMany } from "./useReviews";

const MOST = 500;

interface Props {
  queue: Queue;
  reviewer: string;
  onOpen: (conversation: string) => void;
  onNeedsName: () => void;
}

export function Bulk({ queue, reviewer, onOpen, onNeedsName }: Props) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [reason, setReason] = useState("");
  const [done, setDone] = useState<BulkDone>();
  const say = useSayOfMany(reviewer, (result) => {
    setDone(result);
    // What was refused stays ticked, to be looked at.
    setTicked(new Set(result.items.filter(({ code }) => code !== "").map((i) => i.conversation)));
  });
  const isSample = queue.items.some(({ part }) => part !== "");
  const columns = useMemo(() => {
    const all = columnsOf(ticked, setTicked);
    return isSample ? all : all.filter(({ id }) => id !== "part");
  }, [ticked, isSample]);
  const all = queue.items.length > 0 && queue.items.every((i) => ticked.has(i.conversation));
  const decide = (decision: Decision) => {
    if (reviewer === "") {
      onNeedsName();
      return;
    }
    const conversations = queue.items
      .filter(({ conversation }) => ticked.has(conversation))
      .slice(0, MOST)
      .map(({ conversation, version }) => ({ conversation, seen: version }));
    if (conversations.length > 0 && !say.isPending) say.mutate({ decision, reason, conversations });
  };
  useKey("*", "Tick all, or none", () => setTicked(all ? new Set() : idsOf(queue)));
  return (
    <Stack gap="sm">
      <Group gap="sm" align="flex-end" className="review-bulk">
        <Checkbox
          label={`All ${count(queue.items.length)}`}
          checked={all}
          indeterminate={!all && ticked.size > 0}
          onChange={() => setTicked(all ? new Set() : idsOf(queue))}
        />
        <TextInput
          label="Reason"
          size="xs"
          maxLength={200}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        {(["accepted", "flagged", "rejected", ""] as const).map((decision) => (
          <Button
            key={decision}
            size="xs"
            variant="default"
            aria-disabled={ticked.size === 0 || say.isPending}
            data-disabled={ticked.size === 0 || undefined}
            onClick={() => decide(decision)}
          >
            {VERBS[decision]}
          </Button>
        ))}
        <span role="status">{count(ticked.size)} ticked</span>
      </Group>
      {ticked.size > MOST && <span>{count(MOST)} are taken at once, the first ones.</span>}
      {say.error && <Failed error={say.error} what="Nothing was saved" />}
      {done && <Result done={done} />}
      <DataGrid
        label="Conversations to review"
        rows={queue.items}
        total={queue.items.length}
        columns={columns}
        rowId={({ conversation }) => conversation}
        onOpen={({ conversation }) => onOpen(conversation)}
      />
    </Stack>
  );
}

const VERBS: Record<Decision, string> = {
  accepted: "Accept",
  flagged: "Flag",
  rejected: "Reject",
  "": "Withdraw",
};

function idsOf(queue: Queue): ReadonlySet<string> {
  return new Set(queue.items.map(({ conversation }) => conversation));
}

function Result({ done }: { done: BulkDone }) {
  const refused = done.items.filter(({ code }) => code !== "");
  return (
    <Alert
      role="status"
      color={refused.length > 0 ? "yellow" : "green"}
      className={refused.length > 0 ? "caution" : "done"}
      variant="outline"
      title={`${plural(done.taken, "review")} saved, ${count(done.refused)} refused`}
    >
      {refused.length > 0 && (
        <ul className="review-hits">
          {refused.slice(0, 20).map(({ conversation, message }) => (
            <li key={conversation}>{message}</li>
          ))}
        </ul>
      )}
    </Alert>
  );
}

function columnsOf(
  ticked: ReadonlySet<string>,
  setTicked: (change: (before: ReadonlySet<string>) => ReadonlySet<string>) => void,
): Column<Queued>[] {
  const tick = (id: string) =>
    setTicked((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  return [
    {
      id: "name",
      name: "Conversation",
      width: 260,
      cell: ({ conversation, preview }) => (
        <div className="review-cell">
          <Checkbox
            aria-label={`Tick ${conversation}`}
            checked={ticked.has(conversation)}
            onClick={(event) => event.stopPropagation()}
            onChange={() => tick(conversation)}
          />
          <span className="review-preview" dir="auto">
            <Plain text={preview || conversation} />
          </span>
        </div>
      ),
    },
    {
      id: "status",
      name: "Run's verdict",
      width: 120,
      cell: (row) => <StatusBadge status={row.status} />,
    },
    { id: "reason", name: "Reason", width: 170, cell: ({ reason }) => reason },
    {
      id: "review",
      name: "Review",
      width: 110,
      cell: ({ version, review }) => (version === 0 ? "none yet" : DECIDED[review]),
    },
    {
      id: "mine",
      name: "Yours",
      width: 110,
      wide: true,
      cell: ({ mine }) => (mine === null ? "none yet" : DECIDED[mine]),
    },
    { id: "part", name: "Sampled for", width: 130, wide: true, cell: ({ part }) => part },
  ];
}
