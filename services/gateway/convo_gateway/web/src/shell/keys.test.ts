import { expect, it } from "vitest";
import { meant } from "./keys";

const row = { keys: "k", what: "Row before" };
const place = { keys: "g k", what: "Go to Catalog" };

it("finishes a sequence although its last key does something alone, whichever was registered first", () => {
  expect(meant([row, place], "g", "k")).toBe(place);
  expect(meant([place, row], "g", "k")).toBe(place);
});

it("takes a key alone where nothing was begun, or where it does not go on from what was", () => {
  expect(meant([place, row], "", "k")).toBe(row);
  expect(meant([place, row], "x", "k")).toBe(row);
  expect(meant([place, row], "", "g")).toBeUndefined();
});
