/** `j` and `k` walk over the rows of all tables of a page, `o` opens the one in focus; Enter does by itself. */
import { useKey } from "../shell/keys";

const ROWS = "main a[data-row]";

export function useRowKeys(): void {
  useKey("j", "Next row", () => walk(1));
  useKey("k", "Row before", () => walk(-1));
  useKey("o", "Open the row", () => focused()?.click());
}

function focused(): HTMLElement | undefined {
  const active = document.activeElement;
  return active instanceof HTMLElement && active.matches(ROWS) ? active : undefined;
}

function walk(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(ROWS)];
  const active = focused();
  const at = active === undefined ? (step > 0 ? -1 : 0) : rows.indexOf(active);
  rows[Math.max(0, Math.min(rows.length - 1, at + step))]?.focus();
}
