/** Keys that do something everywhere: registered by what is on the page, listed by the help, never inside a field. */
import { useLayoutEffect, useRef, useSyncExternalStore } from "react";

export interface Shortcut {
  keys: string;
  what: string;
}

interface Registered extends Shortcut {
  run: () => void;
}

const SWITCH = "convo-single-keys";
const registered = new Set<Registered>();
const listeners = new Set<() => void>();
let listed: Shortcut[] = [];
let pending = "";

function changed(): void {
  listed = [...registered].map(({ keys, what }) => ({ keys, what }));
  for (const listener of listeners) listener();
}

/** Do something on a key such as `n`, or on one after the other such as `g r`: as soon as the page is seen, not later. */
export function useKey(keys: string, what: string, run: () => void): void {
  const latest = useRef(run);
  latest.current = run;
  useLayoutEffect(() => {
    const entry = { keys, what, run: () => latest.current() };
    registered.add(entry);
    changed();
    return () => {
      registered.delete(entry);
      changed();
    };
  }, [keys, what]);
}

/** What the keys of this page do. */
export function useShortcuts(): Shortcut[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => listed,
  );
}

export function singleKeysAreOn(): boolean {
  return localStorage.getItem(SWITCH) !== "off";
}

export function switchSingleKeys(on: boolean): void {
  localStorage.setItem(SWITCH, on ? "on" : "off");
}

/** Hear the keys of the whole document. */
export function useKeyboard(): void {
  useLayoutEffect(() => {
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (isTyping(event.target) || !singleKeysAreOn() || dialogIsOpen()) return;
  if (["Shift", "CapsLock"].includes(event.key)) return;
  // Nobody is hurried: the first key of a sequence waits for the next one, however long that takes.
  const entries = [...registered].reverse();
  const hit = meant(entries, pending, event.key);
  pending = "";
  if (hit !== undefined) {
    event.preventDefault();
    hit.run();
  } else if (entries.some(({ keys }) => keys.startsWith(`${event.key} `))) {
    pending = event.key;
  }
}

/**
 * The entry that a key means after the one before it, the first of several; undefined where it means none.
 * What was begun is finished: `g k` goes to a page, also where `k` alone walks the rows of a list.
 */
export function meant<Entry extends Shortcut>(
  entries: readonly Entry[],
  before: string,
  key: string,
): Entry | undefined {
  const sequence = before === "" ? "" : `${before} ${key}`;
  return entries.find(({ keys }) => keys === sequence) ?? entries.find(({ keys }) => keys === key);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement && target.type === "checkbox") return false;
  return target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName);
}

function dialogIsOpen(): boolean {
  return document.querySelector('[role="dialog"][aria-modal="true"]') !== null;
}
