import { expect, it } from "vitest";
import { boxHeight, inSight, placeAt, scrolled, topFor } from "./tallScroll";

const ROW = 40;
const tall = { whole: 10_000_000 * ROW, view: 400 };
const most = boxHeight(tall.whole) - tall.view;

it("few rows scroll as they are", () => {
  const few = { whole: 4_000, view: 400 };
  expect(boxHeight(few.whole)).toBe(4_000);
  expect(scrolled(few, placeAt(few, 0), 900)).toEqual({ top: 900, scroll: 900 });
});

it("the ends of the box are the first and the last row", () => {
  expect(scrolled(tall, placeAt(tall, 0), most).top).toBe(tall.whole - tall.view);
  expect(inSight(tall.whole - tall.view, tall.view, ROW, 10_000_000)).toEqual([
    9_999_990, 9_999_999,
  ]);
  expect(placeAt(tall, Number.POSITIVE_INFINITY).scroll).toBe(most);
  expect(scrolled(tall, placeAt(tall, tall.whole), 0).top).toBe(0);
});

it("a step moves the rows one to one, wherever the thumb is", () => {
  const middle = placeAt(tall, tall.whole / 2);
  expect(scrolled(tall, middle, middle.scroll + 120).top).toBe(middle.top + 120);
  expect(scrolled(tall, middle, middle.scroll - 40).top).toBe(middle.top - 40);
});

it("steps go on to the last row though the box is at its end before", () => {
  let place = placeAt(tall, tall.whole - 5_000);
  for (let n = 0; n < 60; n++) {
    place = scrolled(tall, place, Math.min(most, place.scroll + 100));
  }
  expect(place.top).toBe(tall.whole - tall.view);
  for (let n = 0; n < 10; n++) place = scrolled(tall, place, place.scroll - 100);
  expect(place.top).toBe(tall.whole - tall.view - 1_000);
});

it("brings a row into sight with the least move", () => {
  expect(topFor(3, ROW, { ...tall, top: 200 })).toBe(120);
  expect(topFor(14, ROW, { ...tall, top: 200 })).toBe(200);
  expect(topFor(15, ROW, { ...tall, top: 200 })).toBe(240);
});
