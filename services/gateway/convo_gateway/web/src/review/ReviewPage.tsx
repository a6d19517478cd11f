/** Read what was made and say what is to be held of it: one by one, or many at once. */
import { Button, Group, Progress, Stack, TextInput } from "@mantine/core";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { ClipboardCheck, List, RotateCw, Square } from "lucide-react";
import { useRef } from "react";
import type { Queue } from "../api";
import { count } from "../format";
import { Empty, Failed, Loading } from "../parts/states";
import { useKey } from "../shell/keys";
import { PageTitle } from "../shell/PageTitle";
import { Bulk } from "./Bulk";
import { Choice } from "./Choice";
import { Focus } from "./Focus";
import "../corpus/conversation.css";
import "../corpus/corpus.css";
import "./review.css";
import { useReviewer } from "./reviewer";
import type { ReviewSearch } from "./search";
import { useQueue } from "./useReviews";

const route = getRouteApi("/review");

export function ReviewPage() {
  const search = route.useSearch();
  const navigate = useNavigate({ from: "/review" });
  const { name, raw, setName } = useReviewer();
  const field = useRef<HTMLInputElement>(null);
  const { data, error, isPending, refetch } = useQueue(search, name);
  const change = (part: ReviewSearch, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace });
  const isList = search.show === "list";
  useKey("l", "One by one, or as a list", () => change({ show: isList ? undefined : "list" }));
  return (
    <Stack gap="md" className="review-page">
      <PageTitle title="Review">
        <Button
          variant="default"
          size="xs"
          leftSection={isList ? <Square size={15} aria-hidden /> : <List size={15} aria-hidden />}
          onClick={() => change({ show: isList ? undefined : "list" })}
        >
          {isList ? "One by one" : "As a list"}
        </Button>
        <Button
          variant="default"
          size="xs"
          leftSection={<RotateCw size={15} aria-hidden />}
          onClick={() => void refetch()}
        >
          Look again
        </Button>
      </PageTitle>
      <Group gap="md" align="flex-end">
        <TextInput
          ref={field}
          label="Your name"
          description="Stands beside everything that you say"
          required
          maxLength={100}
          value={raw}
          error={raw !== "" && name === "" ? "Not only spaces" : undefined}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Choice search={search} onChange={change} />
      </Group>
      {isPending && <Loading what="the queue" />}
      {error && !data && <Failed error={error} what="The queue" onRetry={() => void refetch()} />}
      {data && <Reached queue={data} />}
      {data && data.items.length === 0 && <Nothing />}
      {data && data.items.length > 0 && isList && (
        <Bulk
          queue={data}
          reviewer={name}
          onOpen={(at) => change({ at, show: undefined })}
          onNeedsName={() => field.current?.focus()}
        />
      )}
      {data && data.items.length > 0 && !isList && (
        <Focus
          queue={data}
          at={placeOf(data, search.at)}
          reviewer={name}
          onGo={(at) => change({ at: data.items[at]?.conversation }, true)}
          onNeedsName={() => field.current?.focus()}
        />
      )}
    </Stack>
  );
}

/** Where one is in the queue: at the conversation of the address, or at the first that nobody reviewed. */
function placeOf(queue: Queue, conversation: string | undefined): number {
  const at = queue.items.findIndex((item) => item.conversation === conversation);
  if (at >= 0) return at;
  return Math.max(
    0,
    queue.items.findIndex(({ version }) => version === 0),
  );
}

function Reached({ queue }: { queue: Queue }) {
  const { reviewed, reviewed_by_you: mine, of, more } = queue;
  if (of === 0) return null;
  return (
    <div className="review-progress">
      <span role="status">
        {count(reviewed)} of {count(of)} reviewed, {count(mine)} by you
        {more && "; the filter has more than this queue takes"}
      </span>
      <Progress value={(100 * reviewed) / of} aria-label="Reviewed" />
    </div>
  );
}

function Nothing() {
  return (
    <Empty icon={ClipboardCheck} title="Nothing to review here">
      <span>
        Choose conversations on <Link to="/corpus">Corpus</Link>, or take the filter away.
      </span>
    </Empty>
  );
}
