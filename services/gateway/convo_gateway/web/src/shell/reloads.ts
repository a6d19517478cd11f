/** How often a page may load itself anew: what is broken for good is not to flicker. Pure. */

const APART_MS = 30_000;

/** Whether it may again; `last` is when it did, as it was kept. */
export function mayReload(last: string | null, now: number): boolean {
  const passed = now - Number(last ?? Number.NaN);
  return !(passed >= 0 && passed < APART_MS);
}
