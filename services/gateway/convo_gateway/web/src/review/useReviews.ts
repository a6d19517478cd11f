/** The queue, what was said of a conversation, and saying something. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  type BulkDone,
  failureOf,
  getQueue,
  getReviews,
  type Hit,
  type Queue,
  type ReviewShown,
  reviewConversation,
  reviewMany,
} from "../api";
import { queryOf } from "../corpus/search";
import { bodyOf, type Decision, type Opinion } from "./opinion";
import type { ReviewSearch } from "./search";

const PER_PART = 10;

export function useQueue(search: ReviewSearch, reviewer: string) {
  const { per, n, seed } = search;
  const query = {
    ...queryOf(search),
    sort: search.sort,
    reviewer,
    per,
    count: n ? Number(n) : PER_PART,
    seed: seed ? Number(seed) : 1,
  };
  return useQuery({
    queryKey: ["reviews", "queue", query],
    queryFn: async ({ signal }) => (await getQueue({ query, signal, throwOnError: true })).data,
    // A queue stays as it is while one goes through it: what is decided does not vanish under the hand.
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
  });
}

export function useReviewsOf(conversation: string, enabled = true) {
  return useQuery({
    enabled,
    queryKey: ["conversation", conversation, "reviews"],
    queryFn: async ({ signal }) =>
      (await getReviews({ path: { conversation }, signal, throwOnError: true })).data,
  });
}

export interface Said {
  conversation: string;
  seen: number;
  opinion: Opinion;
  despite: string[];
}

/** Save a review. Somebody else's in between is a failure whose `current` is theirs; so are hits of layer 1. */
export function useSay(reviewer: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ conversation, seen, opinion, despite }: Said) =>
      (
        await reviewConversation({
          path: { conversation },
          body: bodyOf(opinion, reviewer, despite),
          headers: { "If-Match": `"v${seen}"` },
          throwOnError: true,
        })
      ).data,
    onSuccess: ({ version }, { conversation, opinion }) => {
      void cache.invalidateQueries({ queryKey: ["conversation", conversation] });
      cache.setQueriesData<Queue>({ queryKey: ["reviews", "queue"] }, (queue) =>
        queue ? decidedIn(queue, conversation, version, opinion.decision) : queue,
      );
    },
  });
}

/** The queue after a review: the item stays in its place, the progress moves. */
export function decidedIn(
  queue: Queue,
  conversation: string,
  version: number,
  decision: Decision,
): Queue {
  const items = queue.items.map((item) =>
    item.conversation === conversation
      ? { ...item, version, review: decision, mine: decision }
      : item,
  );
  return {
    ...queue,
    items,
    reviewed: items.filter((item) => item.version > 0).length,
    reviewed_by_you: items.filter((item) => item.mine !== null).length,
  };
}

export function useSayOfMany(reviewer: string, onDone: (done: BulkDone) => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (wanted: {
      decision: Decision;
      reason: string;
      conversations: { conversation: string; seen: number }[];
    }) => (await reviewMany({ body: { reviewer, ...wanted }, throwOnError: true })).data,
    onSuccess: (done) => {
      void cache.invalidateQueries({ queryKey: ["reviews", "queue"] });
      onDone(done);
    },
  });
}

/** What somebody else said meanwhile; undefined where that is not why it failed. */
export function currentOf(error: unknown): ReviewShown | undefined {
  const failure = failureOf(error);
  if (failure.status !== 412) return undefined;
  return (failure.problem as { current?: ReviewShown | null }).current ?? undefined;
}

/** What layer 1 found in the edited text; undefined where that is not why it failed. */
export function hitsOf(error: unknown): Hit[] | undefined {
  const failure = failureOf(error);
  if (failure.code !== "rules-hit") return undefined;
  return (failure.problem as { hits?: Hit[] }).hits ?? [];
}
