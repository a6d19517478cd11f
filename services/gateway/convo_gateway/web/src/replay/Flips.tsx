import { NativeSelect, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import type { Flip, ReplayResult } from "../api";
import { Peek } from "../corpus/Peek";
import "../corpus/corpus.css";
import { count, DASH } from "../format";
import { type Column, DataGrid } from "../parts/DataGrid";
import { Plain } from "../parts/Plain";
import { Section } from "../parts/Section";
import { Failed, Loading } from "../parts/states";
import { STATUS_WORDS } from "./Result";
import type { ReplaySearch } from "./search";
import { type Source, useFlips } from "./useReplay";

interface Props {
  run: string;
  source: Source;
  result: ReplayResult;
  search: ReplaySearch;
  onSearch: (part: ReplaySearch) => void;
}

/** The conversations that flip, by what they were and would be. */
export function Flips({ run, source, result, search, onSearch }: Props) {
  const chosen = result.flips.find((flip) => keyOf(flip) === search.flips);
  const { data, error, refetch, isPending, hasNextPage, isFetching, fetchNextPage } = useFlips(
    run,
    source,
    chosen?.was,
    chosen?.status,
  );
  const rows = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
  const navigate = useNavigate();
  const more = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  if (result.flipped === 0) return null;
  const open = ({ conversation }: Flip) =>
    void navigate({ to: "/corpus/$conversation", params: { conversation }, search: {} });
  return (
    <Section
      title="Conversations that flip"
      beside={
        <NativeSelect
          aria-label="Which flips"
          value={chosen ? keyOf(chosen) : ""}
          data={[
            { value: "", label: `All ${count(result.flipped)}` },
            ...result.flips.map((flip) => ({ value: keyOf(flip), label: kindOf(flip) })),
          ]}
          onChange={({ currentTarget }) => onSearch({ flips: currentTarget.value || undefined })}
        />
      }
    >
      {isPending && <Loading what="conversations" />}
      {!isPending && data === undefined && (
        <Failed error={error} what="Conversations" onRetry={() => void refetch()} />
      )}
      {data && (
        <div className="replay-flips" data-peek={search.peek ? true : undefined}>
          <DataGrid
            label="Conversations that flip"
            rows={rows}
            total={chosen?.conversations ?? result.flipped}
            columns={COLUMNS}
            rowId={idOf}
            onOpen={open}
            onEndReached={more}
            peek={search.peek}
            onPeek={(peek) => onSearch({ peek })}
          />
          {search.peek && <Peek id={search.peek} onClose={() => onSearch({ peek: undefined })} />}
        </div>
      )}
    </Section>
  );
}

function keyOf({ was, status }: { was: Flip["status"]; status: Flip["status"] }): string {
  return `${was}-${status}`;
}

function kindOf(flip: ReplayResult["flips"][number]): string {
  const { was, status, conversations } = flip;
  const n = count(conversations);
  if (was === status) return `${STATUS_WORDS[was]}, for another reason: ${n}`;
  return `${STATUS_WORDS[was]} → ${STATUS_WORDS[status]}: ${n}`;
}

function idOf({ conversation }: Flip): string {
  return conversation;
}

function Ending(props: { to?: boolean; status: string; reason: string; detail: string }) {
  const { to = false, status, reason, detail } = props;
  return (
    <>
      <Text size="sm" truncate>
        {to && <span aria-hidden>→ </span>}
        {STATUS_WORDS[status]}
        {reason && (
          <>
            : <code>{reason}</code>
          </>
        )}
      </Text>
      {detail && (
        <Text size="xs" c="dimmed" truncate className="flip-detail">
          <Plain text={detail} />
        </Text>
      )}
    </>
  );
}

const COLUMNS: Column<Flip>[] = [
  {
    id: "name",
    name: "Conversation",
    width: 200,
    cell: ({ conversation, preview }) => (
      <>
        <a href={`/corpus/${conversation}`} className="row-link" tabIndex={-1}>
          <Plain text={preview || conversation} />
        </a>
        <Text size="xs" c="dimmed" truncate className="row-id">
          {conversation}
        </Text>
      </>
    ),
  },
  {
    id: "was",
    name: "Record",
    width: 210,
    cell: ({ was_status, was_reason, was_detail }) => (
      <Ending status={was_status} reason={was_reason} detail={was_detail} />
    ),
  },
  {
    id: "now",
    name: "Now",
    width: 210,
    cell: ({ status, reason, detail }) => (
      <Ending to status={status} reason={reason} detail={detail} />
    ),
  },
  {
    id: "score",
    name: "Score",
    width: 60,
    number: true,
    wide: true,
    cell: ({ score }) => score?.toFixed(2) ?? DASH,
  },
];
