/** Saving the config that is edited: once, as the next version of the one that was read. */
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { type Failure, failureOf } from "../api";
import { type Json, same } from "../catalog/json";
import { get, type Item, pathOfObject, save } from "../catalog/objects";
import type { Draft } from "../parts/form/draft";
import type { Problem } from "../parts/form/problems";
import type { Body } from "./body";

/** What one wants to do with the config next. */
export type Next = "read" | "preview" | "start";

export function useSave(draft: Draft, first: Item | undefined, start: Json) {
  const [base, setBase] = useState(first);
  const [failure, setFailure] = useState<Failure>();
  const [theirs, setTheirs] = useState<Item>();
  const [saved, setSaved] = useState(false);
  const sending = useRef(false); // the second click of a double click comes before anything is drawn anew
  const cache = useQueryClient();
  const go = useNext();
  const saving = useMutation({
    mutationFn: ({ note }: { note: string; next: Next }) =>
      save("run-configs", draft.value as Body, note.trim(), base),
    onSuccess: async (item, { next }) => {
      setSaved(true);
      notifications.show({
        message:
          base?.version === item.version
            ? "Nothing changed, so there is no new version."
            : `${item.name} is saved as version ${item.version}.`,
      });
      await cache.invalidateQueries({ queryKey: ["catalog"] });
      await cache.invalidateQueries({ queryKey: ["run-configs"] });
      await go(item.name, next);
    },
    onError: async (error) => {
      const why = failureOf(error);
      if (why.status === 412 && base) {
        const latest = await get<Item>(pathOfObject("run-configs", base.name)).catch(
          () => undefined,
        );
        if (latest) return setTheirs(latest);
      }
      setFailure(why);
    },
    onSettled: () => {
      sending.current = false;
    },
  });
  return {
    base,
    failure,
    conflict: base && theirs ? { base, theirs } : undefined,
    saving: saving.isPending,
    isDirty: () => !saved && !same(draft.value, base?.body ?? start),
    submit: (note: string, next: Next) => {
      if (sending.current || saved) return;
      sending.current = true;
      setFailure(undefined);
      saving.mutate({ note, next });
    },
    /** Go on from their version with this value. */
    resolve: (chosen: Json) => {
      setBase(theirs);
      setTheirs(undefined);
      draft.replace(chosen);
    },
    dismiss: () => setTheirs(undefined),
  };
}

function useNext() {
  const navigate = useNavigate();
  return (name: string, next: Next) => {
    switch (next) {
      case "read":
        return navigate({
          to: "/catalog/$kind/$name",
          params: { kind: "run-configs", name },
        });
      case "preview":
        return navigate({ to: "/catalog/run-configs/$name/preview", params: { name } });
      case "start":
        return navigate({ to: "/runs", search: { form: "open", of: name } });
    }
  };
}

/** What a refused save says of single fields; a name that is taken is one of them. */
export function refusedFor(failure: Failure | undefined, isNew: boolean): Problem[] {
  if (failure === undefined) return [];
  if (isNew && failure.status === 409) {
    const message =
      "A run config of that name is there already. Take another name, or edit that one.";
    return [{ pointer: "/name", message, severity: "error" }];
  }
  if (failure.status !== 422) return [];
  return (failure.problem.errors ?? []).map(({ pointer = "", detail }) => ({
    pointer,
    message: detail,
    severity: "error" as const,
  }));
}
