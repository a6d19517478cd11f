/** The draft of a form, and what is wrong with it, for the fields inside. */
import { createContext, type ReactNode, useContext, useMemo, useSyncExternalStore } from "react";
import type { Json } from "../../catalog/json";
import type { Draft } from "./draft";
import { fieldId } from "./focus";
import { errorsOf, isUnder, type Problem, textAt } from "./problems";

interface Editing {
  draft: Draft;
  problems: readonly Problem[];
  /** Whether a field says what is wrong with it; a form that is not filled in yet does not shout. */
  says: (pointer: string) => boolean;
  /** Somebody was in the field. */
  touch: (pointer: string) => void;
}

const Context = createContext<Editing | undefined>(undefined);

export function DraftProvider({ children, ...editing }: Editing & { children: ReactNode }) {
  const { draft, problems, says, touch } = editing;
  const value = useMemo(() => ({ draft, problems, says, touch }), [draft, problems, says, touch]);
  return <Context value={value}>{children}</Context>;
}

export function useEditing(): Editing {
  const editing = useContext(Context);
  if (editing === undefined) throw new Error("no draft is being edited here");
  return editing;
}

/** A part of the draft as it is now. */
export function usePart(pointer: string): Json | undefined {
  const { draft } = useEditing();
  return useSyncExternalStore(draft.subscribe, () => draft.part(pointer));
}

/** Something that follows from the whole draft, a word or a number: who asks is drawn anew only when it changes. */
export function useDerived<Value extends string | number | boolean>(
  derive: (draft: Json) => Value,
): Value {
  const { draft } = useEditing();
  return useSyncExternalStore(draft.subscribe, () => derive(draft.value));
}

export interface Field {
  id: string;
  value: Json | undefined;
  error: string | undefined;
  set: (part: Json | undefined) => void;
  onBlur: () => void;
}

/** One field: its value, what is wrong with it, and how to change it. */
export function useField(pointer: string): Field {
  const { draft, problems, says, touch } = useEditing();
  const value = usePart(pointer);
  return {
    id: fieldId(pointer),
    value,
    error: says(pointer) ? textAt(errorsOf(problems), pointer) : undefined,
    set: (part) => draft.set(pointer, part),
    onBlur: () => touch(pointer),
  };
}

/** What is wrong with a part and with what is in it, where its fields say so. */
export function useProblemsUnder(pointer: string): Problem[] {
  const { problems, says } = useEditing();
  return errorsOf(problems).filter((one) => isUnder(one.pointer, pointer) && says(one.pointer));
}
