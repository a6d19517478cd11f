/** Taking the last review of this session back: what was held before it is said again, as a review of its own. */
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { failureOf, getReviews, reviewConversation } from "../api";
import { useKey } from "../shell/keys";
import { bodyOf, type Opinion } from "./opinion";
import { hitsOf } from "./useReviews";

export interface Undone {
  conversation: string;
  /** What the latest review said before. */
  before: Opinion;
}

export function useUndo(
  undone: Undone[],
  reviewer: string,
  onBack: (conversation: string) => void,
): () => void {
  const cache = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: (last: Undone) => sayAgain(last, reviewer),
    onSuccess: (_, { conversation }) => {
      void cache.invalidateQueries({ queryKey: ["conversation", conversation] });
      void cache.invalidateQueries({ queryKey: ["reviews", "queue"] });
      onBack(conversation);
      notifications.show({ message: "The last review is taken back", autoClose: 2_000 });
    },
    onError: (error) =>
      notifications.show({ color: "red", title: "Not undone", message: failureOf(error).message }),
  });
  const undo = () => {
    if (isPending) return;
    const last = undone.pop();
    if (last === undefined) notifications.show({ message: "Nothing to undo", autoClose: 2_000 });
    else mutate(last);
  };
  useKey("u", "Undo the last review", undo);
  return undo;
}

/** What stood before may hit a rule that was let stand then: it is let stand again. */
async function sayAgain({ conversation, before }: Undone, reviewer: string): Promise<void> {
  const path = { conversation };
  const { version } = (await getReviews({ path, throwOnError: true })).data;
  const put = (despite: string[]) =>
    reviewConversation({
      path,
      body: bodyOf(before, reviewer, despite),
      headers: { "If-Match": `"v${version}"` },
      throwOnError: true,
    });
  try {
    await put([]);
  } catch (error) {
    const hits = hitsOf(error);
    if (hits === undefined) throw error;
    await put(hits.map(({ reason }) => reason));
  }
}
