/** Scrolling through more rows than a box can be high: browsers stop at some ten million pixels. Pure.

The box is as high as it may be. Small steps move the rows one to one; a jump of the thumb goes to the place that it
stands for. */

export interface Tall {
  /** Height of all rows together. */
  whole: number;
  /** Height of what is seen of them. */
  view: number;
}

export interface Place {
  /** How far the rows are scrolled. */
  top: number;
  /** How far the box is. */
  scroll: number;
}

const MOST_PX = 6_000_000;

/** Height of what the box scrolls over. */
export function boxHeight(whole: number): number {
  return Math.min(whole, MOST_PX);
}

function mostTop({ whole, view }: Tall): number {
  return Math.max(0, whole - view);
}

function mostScroll({ whole, view }: Tall): number {
  return Math.max(0, boxHeight(whole) - view);
}

/** The place at which the rows are scrolled so far, with the thumb where it belongs: at an end only with the rows. */
export function placeAt(tall: Tall, top: number): Place {
  const [last, most] = [mostTop(tall), mostScroll(tall)];
  const at = Math.max(0, Math.min(last, top));
  if (tall.whole <= MOST_PX) return { top: at, scroll: at };
  const before = Math.min(at, tall.view);
  const after = most - Math.min(last - at, tall.view);
  return { top: at, scroll: Math.round(Math.max(before, Math.min(after, (at / last) * most))) };
}

/** The place after the box was scrolled to there. */
export function scrolled(tall: Tall, before: Place, scroll: number): Place {
  if (tall.whole <= MOST_PX) return { top: scroll, scroll };
  const [last, most, step] = [mostTop(tall), mostScroll(tall), scroll - before.scroll];
  if (Math.abs(step) >= tall.view) return { top: (scroll / most) * last, scroll };
  const top = Math.max(0, Math.min(last, before.top + step));
  return scroll <= 0 || scroll >= most ? placeAt(tall, top) : { top, scroll };
}

/** First and last row in sight. */
export function inSight(top: number, view: number, row: number, rows: number): [number, number] {
  const first = Math.max(0, Math.min(rows - 1, Math.floor(top / row)));
  return [first, Math.max(first, Math.min(rows - 1, Math.ceil((top + view) / row) - 1))];
}

/** How far to scroll so that a row is in sight, moving no more than needed. */
export function topFor(row: number, height: number, { top, view }: Tall & { top: number }): number {
  if (row * height < top) return row * height;
  return (row + 1) * height > top + view ? (row + 1) * height - view : top;
}
