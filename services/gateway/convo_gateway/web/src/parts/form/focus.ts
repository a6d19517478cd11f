/** From a problem to its field: fields have the pointer in their id. */
import { outwards } from "./problems";

export function fieldId(pointer: string): string {
  return `field${pointer}`;
}

type Reveal = (pointer: string) => void;
const reveals = new Map<string, Reveal>();

/** Register what brings the parts of a long list into the page; comes back with what takes it out again. */
export function onReveal(pointer: string, reveal: Reveal): () => void {
  reveals.set(pointer, reveal);
  return () => {
    if (reveals.get(pointer) === reveal) reveals.delete(pointer);
  };
}

const FOCUSABLE = "input:not([disabled]), textarea, select, button:not([disabled]), [tabindex]";

/** Go to the field of a pointer, or to the nearest one around it. */
export function focusField(pointer: string): void {
  for (const at of outwards(pointer)) reveals.get(at)?.(pointer);
  requestAnimationFrame(() => requestAnimationFrame(() => focusNow(pointer)));
}

function focusNow(pointer: string): void {
  for (const at of outwards(pointer)) {
    const element = document.getElementById(fieldId(at));
    if (element === null) continue;
    for (const closed of closedAround(element)) closed.open = true;
    const target = element.matches(FOCUSABLE) ? element : element.querySelector(FOCUSABLE);
    (target ?? element).scrollIntoView({ block: "center" });
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
    return;
  }
}

function closedAround(element: HTMLElement): HTMLDetailsElement[] {
  const found: HTMLDetailsElement[] = [];
  for (let at: HTMLElement | null = element; at !== null; at = at.parentElement) {
    if (at instanceof HTMLDetailsElement && !at.open) found.push(at);
  }
  return found;
}
