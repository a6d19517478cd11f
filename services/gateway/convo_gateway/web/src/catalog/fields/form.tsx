/** What the fields of an editor share: the object as it is written, what the gateway says of it, and its schema. */
import { createContext, type ReactNode, useContext, useMemo } from "react";
import { plainer } from "../errors";
import { type Json, partAt } from "../json";
import { helpAt, limitsAt, type Schema } from "../schema";

export interface FieldError {
  pointer: string;
  detail: string;
}

export interface Form {
  value: Json;
  errors: readonly FieldError[];
  schema: Schema | undefined;
  /** Write a part; undefined takes it out. */
  set: (pointer: string, part: Json | undefined) => void;
}

const FormContext = createContext<Form | undefined>(undefined);

export function FormProvider({ form, children }: { form: Form; children: ReactNode }) {
  return <FormContext value={form}>{children}</FormContext>;
}

export function useForm(): Form {
  const form = useContext(FormContext);
  if (form === undefined) throw new Error("a field needs a form around it");
  return form;
}

/** The id of the element that stands for a part of the object. */
export function fieldId(pointer: string): string {
  return `field${pointer.replaceAll("/", "-")}`;
}

/** One part of the object. `deep`: it also shows the errors of what is inside. */
export function useField(pointer: string, deep = false) {
  const { value: whole, errors, schema, set } = useForm();
  const value = useMemo(() => partAt(whole, pointer), [whole, pointer]);
  const here = errors.filter(
    (error) => error.pointer === pointer || (deep && error.pointer.startsWith(`${pointer}/`)),
  );
  const words = here.map((error) => {
    const inside = error.pointer.slice(pointer.length + 1);
    return inside === ""
      ? plainer(error.detail)
      : `${placeWords(inside)}: ${plainer(error.detail)}`;
  });
  return {
    id: fieldId(pointer),
    value,
    error: words.length === 0 ? undefined : words.slice(0, 5).join("; "),
    help: helpAt(schema, pointer),
    limits: limitsAt(schema, pointer),
    set: (part: Json | undefined) => set(pointer, part),
  };
}

/** Such as `entry 3` of `2`. */
function placeWords(inside: string): string {
  return /^\d+$/.test(inside) ? `entry ${Number(inside) + 1}` : inside;
}

/** Move to the field of a pointer, or to the nearest that holds it. */
export function goToField(pointer: string): void {
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf("/"))) {
    const element = document.getElementById(fieldId(at));
    if (element !== null) {
      element.scrollIntoView({ block: "center" });
      element.focus();
      return;
    }
    if (at === "") return;
  }
}
