/** One conversation at a time: read, decide, go on. */
import { Button, Group, Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import type { Conversation, Queue, ReviewShown, Reviews } from "../api";
import { allHits } from "../corpus/marks";
import { useConversation } from "../corpus/useConversation";
import { plural } from "../format";
import { StatusBadge } from "../parts/StatusBadge";
import { Failed, Loading } from "../parts/states";
import { useKey } from "../shell/keys";
import { Conflict } from "./Conflict";
import { Decide } from "./Decide";
import { bodyOf, DECIDED, type Decision, edited, isSame, saidBy } from "./opinion";
import { ReviewTurn } from "./ReviewTurn";
import { draftOf, keepDraft } from "./reviewer";
import { type Undone, useUndo } from "./undo";
import { currentOf, hitsOf, useReviewsOf, useSay } from "./useReviews";
import { Verdict } from "./Verdict";

const AT_ONCE = 60;

interface Props {
  queue: Queue;
  at: number;
  reviewer: string;
  onGo: (at: number) => void;
  onNeedsName: () => void;
}

export function Focus({ queue, at, reviewer, onGo, onNeedsName }: Props) {
  const item = queue.items[at];
  const id = item?.conversation ?? "";
  const conversation = useConversation(id);
  const reviews = useReviewsOf(id);
  const undone = useRef<Undone[]>([]);
  const step = (by: 1 | -1) => onGo(Math.max(0, Math.min(queue.items.length - 1, at + by)));
  useKey("]", "Next conversation", () => step(1));
  useKey("[", "Conversation before", () => step(-1));
  if (conversation.error) {
    return <Failed error={conversation.error} what={`Conversation ${id}`} />;
  }
  if (reviews.error) return <Failed error={reviews.error} what={`Reviews of ${id}`} />;
  if (!conversation.data || !reviews.data) return <Loading what="the conversation" />;
  return (
    <>
      <Group gap="xs" className="review-where">
        <Button
          variant="default"
          size="xs"
          leftSection={<ChevronLeft size={16} aria-hidden />}
          data-disabled={at === 0 || undefined}
          aria-disabled={at === 0}
          onClick={() => step(-1)}
        >
          Previous
        </Button>
        <span>
          {at + 1} of {queue.items.length}
        </span>
        <Button
          variant="default"
          size="xs"
          rightSection={<ChevronRight size={16} aria-hidden />}
          data-disabled={at + 1 >= queue.items.length || undefined}
          aria-disabled={at + 1 >= queue.items.length}
          onClick={() => step(1)}
        >
          Next
        </Button>
        {item?.part && <span className="review-part">sampled for {item.part}</span>}
      </Group>
      <One
        key={id}
        of={conversation.data}
        reviews={reviews.data}
        reviewer={reviewer}
        undone={undone.current}
        onNeedsName={onNeedsName}
        onDone={() => step(1)}
        onBack={(to) =>
          onGo(
            Math.max(
              0,
              queue.items.findIndex((i) => i.conversation === to),
            ),
          )
        }
      />
    </>
  );
}

interface OneProps {
  of: Conversation;
  reviews: Reviews;
  reviewer: string;
  undone: Undone[];
  onNeedsName: () => void;
  onDone: () => void;
  onBack: (conversation: string) => void;
}

function One({ of, reviews, reviewer, undone, onNeedsName, onDone, onBack }: OneProps) {
  const { opinion, setOpinion, base, latest, theirs, adopt, saved } = useOpinion(of.id, reviews);
  const [editing, setEditing] = useState<number>();
  const [shown, setShown] = useState(AT_ONCE);
  const say = useSay(reviewer);
  const hits = useMemo(() => allHits(of.hit, of.also), [of.hit, of.also]);
  const save = (decision: Decision, despite: string[] = [], seen = base.version) => {
    if (say.isPending) return;
    if (reviewer === "") {
      onNeedsName();
      return;
    }
    const wanted = { ...opinion, decision };
    setOpinion(wanted);
    say.mutate(
      { conversation: of.id, seen, opinion: wanted, despite },
      {
        onSuccess: ({ version }) => {
          saved({ ...bodyOf(wanted, reviewer, []), version, at: new Date().toISOString() });
          undone.push({ conversation: of.id, before: latest });
          notifications.show({ message: `${titleOf(of)}: ${DECIDED[decision]}`, autoClose: 2_000 });
          onDone();
        },
      },
    );
  };
  useDecisions(save, onDone);
  useUndo(undone, reviewer, onBack);
  useKey("e", "Edit the first turn that is found bad, or the first answer", () =>
    setEditing(
      hits.find(({ turn }) => typeof turn === "number")?.turn ?? of.messages[1]?.number ?? 0,
    ),
  );
  return (
    <div className="review-columns">
      <Stack gap="sm">
        <Group gap="sm" className="review-title">
          <Link to="/corpus/$conversation" params={{ conversation: of.id }}>
            {of.id}
          </Link>
          <StatusBadge status={of.status} />
          <span>
            {of.persona}, {of.voice}, {plural(of.turns, "turn")}
          </span>
        </Group>
        <ol className="review-turns" aria-label="Turns">
          {of.messages.slice(0, shown).map((turn) => (
            <ReviewTurn
              key={turn.number}
              turn={turn}
              edit={opinion.edits[turn.number]}
              hits={hits.filter((hit) => hit.turn === turn.number)}
              isEditing={editing === turn.number}
              onEdit={(open) => setEditing(open ? turn.number : undefined)}
              onText={(text) => setOpinion((before) => edited(before, turn, text))}
            />
          ))}
        </ol>
        {shown < of.messages.length && (
          <Button variant="default" onClick={() => setShown((most) => most + AT_ONCE)}>
            Show {Math.min(AT_ONCE, of.messages.length - shown)} more of {of.messages.length} turns
          </Button>
        )}
      </Stack>
      <Stack gap="sm" className="review-side">
        <Decide
          opinion={opinion}
          latest={base.latest ?? null}
          isSaving={say.isPending}
          hits={hitsOf(say.error)}
          onChange={setOpinion}
          onSay={save}
          onSkip={onDone}
        />
        <Conflict
          theirs={currentOf(say.error) ?? theirs}
          mine={opinion}
          turns={of.messages}
          onTheirs={() => {
            say.reset();
            adopt();
          }}
          onMine={(seen) => save(opinion.decision, [], seen)}
        />
        {say.error && !currentOf(say.error) && !hitsOf(say.error) && (
          <Failed error={say.error} what="The review was not saved" />
        )}
        <Verdict of={of} history={reviews.history} />
      </Stack>
    </div>
  );
}

function titleOf(of: Conversation): string {
  return `Conversation ${of.thread}.${of.number}`;
}

function useDecisions(save: (decision: Decision) => void, onSkip: () => void): void {
  useKey("a", "Accept", () => save("accepted"));
  useKey("f", "Flag", () => save("flagged"));
  useKey("x", "Reject", () => save("rejected"));
  useKey("s", "Skip", onSkip);
}

/**
 * What the reviewer is about to say. A review that comes in meanwhile is taken over where nothing was begun; else both
 * are shown, and nothing that was typed is lost.
 */
function useOpinion(id: string, reviews: Reviews) {
  const [base, setBase] = useState(reviews);
  const latest = useMemo(() => saidBy(base.latest), [base.latest]);
  const [opinion, setOpinion] = useState(() => draftOf(id, reviews.version) ?? latest);
  const cache = useQueryClient();
  const now = useMemo(() => saidBy(reviews.latest), [reviews.latest]);
  const isNewer = reviews.version > base.version;
  const isFree = isSame(opinion, latest) || isSame(opinion, now);
  useEffect(() => {
    if (!isNewer || !isFree) return;
    setBase(reviews);
    setOpinion(now);
  }, [isNewer, isFree, reviews, now]);
  useEffect(
    () => keepDraft(id, base.version, isSame(opinion, latest) ? null : opinion),
    [id, base.version, opinion, latest],
  );
  const saved = (review: ReviewShown) =>
    setBase((before) => ({ ...before, version: review.version, latest: review }));
  const adopt = () => {
    setOpinion(latest);
    void cache.invalidateQueries({ queryKey: ["conversation", id] });
  };
  const theirs = isNewer && !isFree ? (reviews.latest ?? undefined) : undefined;
  return { opinion, setOpinion, base, latest, theirs, adopt, saved };
}
