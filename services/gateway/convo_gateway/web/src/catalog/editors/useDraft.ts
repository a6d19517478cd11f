/** An object while it is written: its value, what is wrong with it, and saving it once. */
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useMemo, useRef, useState } from "react";
import { type Failure, failureOf } from "../../api";
import { pointed } from "../errors";
import type { FieldError } from "../fields/form";
import { type Json, same, withPart } from "../json";
import { capital, type Kind, WORDS } from "../kinds";
import { get, type Item, pathOfObject } from "../objects";
import { saveObject } from "../saving";

export type Draft = ReturnType<typeof useDraft>;

interface Conflict {
  /** What both began from. */
  base: Item;
  theirs: Item;
}

export function useDraft(kind: Kind, first: Item | undefined, start: Item["body"]) {
  const [value, setValue] = useState<Json>(start);
  const [base, setBase] = useState(first);
  const [note, setNote] = useState("");
  const [errors, setErrors] = useState<readonly FieldError[]>([]);
  const [failure, setFailure] = useState<Failure>();
  const [conflict, setConflict] = useState<Conflict>();
  const [saved, setSaved] = useState(false);
  const sending = useRef(false); // the second click of a double click comes before anything is drawn anew
  const cache = useQueryClient();
  const navigate = useNavigate();
  const changed = useMemo(() => !same(value, base?.body ?? start), [value, base, start]);

  const set = useCallback((pointer: string, part: Json | undefined) => {
    setValue((before) => withPart(before, pointer, part));
    setErrors((before) =>
      before.filter((error) => error.pointer !== pointer && !inside(error.pointer, pointer)),
    );
  }, []);

  const refuse = async (problem: Failure) => {
    if (problem.status === 412 && base) {
      const theirs = await get<Item>(pathOfObject(kind, base.name)).catch(() => undefined);
      if (theirs) return setConflict({ base, theirs });
    }
    const found = errorsOf(problem, kind, base === undefined);
    setErrors(found);
    setFailure(found.length === 0 ? problem : undefined);
  };

  const saving = useMutation({
    mutationFn: () => saveObject(kind, value as Item["body"], note.trim(), base),
    onMutate: () => {
      setErrors([]);
      setFailure(undefined);
    },
    onSuccess: async (item) => {
      setSaved(true);
      const unchanged = base?.version === item.version;
      notifications.show({
        message: unchanged
          ? "Nothing changed, so there is no new version."
          : `${item.name} is saved as version ${item.version}.`,
      });
      await cache.invalidateQueries({ queryKey: ["catalog"] });
      await navigate({ to: "/catalog/$kind/$name", params: { kind, name: item.name } });
    },
    onError: (error) => refuse(failureOf(error)),
    onSettled: () => {
      sending.current = false;
    },
  });

  const submit = () => {
    if (sending.current || saved) return;
    sending.current = true;
    saving.mutate();
  };

  /** Go on from their version with this value. */
  const resolve = (chosen: Json) => {
    if (conflict) setBase(conflict.theirs);
    setValue(chosen);
    setErrors([]);
    setConflict(undefined);
  };

  return {
    value,
    base,
    note,
    errors,
    failure,
    conflict,
    changed,
    dirty: changed && !saved,
    saving: saving.isPending || saved,
    set,
    setNote,
    submit,
    resolve,
    dismiss: () => setConflict(undefined),
  };
}

function inside(pointer: string, whole: string): boolean {
  return pointer.startsWith(`${whole}/`);
}

/** What is said of single fields. */
function errorsOf(problem: Failure, kind: Kind, isNew: boolean): FieldError[] {
  if (isNew && problem.status === 409) {
    const detail = `${capital(WORDS[kind].one)} of that name is there already. Take another name, or edit that one.`;
    return [{ pointer: "/name", detail }];
  }
  const found = problem.problem.errors ?? [];
  return problem.status === 422 ? pointed(found) : [];
}
