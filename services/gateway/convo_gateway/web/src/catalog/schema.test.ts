import { expect, it } from "vitest";
import { helpAt, limitsAt, type Schema, wordsInside } from "./schema";

const schema: Schema = {
  description: "A file.",
  else: {
    properties: {
      modes: {
        description: "``scripted`` needs ``script``.\n\nMore.",
        items: { $ref: "#/$defs/Mode" },
      },
      models: { items: { $ref: "#/$defs/Model" } },
      segments: { propertyNames: { enum: ["user", "judge"] }, additionalProperties: {} },
    },
  },
  $defs: {
    Mode: { enum: ["scripted", "dialogue"] },
    Model: {
      properties: { prices: { anyOf: [{ $ref: "#/$defs/Prices" }, { type: "null" }] } },
    },
    Prices: {
      properties: { source: { description: "None: unknown.", maxLength: 9 } },
    },
    Loop: { $ref: "#/$defs/Loop" },
  },
};

it("help is found through references, lists and choices", () => {
  expect(helpAt(schema, "/models/3/prices/source")).toBe("Empty: unknown.");
  expect(helpAt(schema, "/modes")).toBe("scripted needs script.");
  expect(helpAt(schema, "/models/0/nothing")).toBeUndefined();
  expect(helpAt(undefined, "/modes")).toBeUndefined();
});

it("limits and words are found", () => {
  expect(limitsAt(schema, "/models/0/prices/source").maxLength).toBe(9);
  expect(wordsInside(schema, "/modes")).toEqual(["scripted", "dialogue"]);
  expect(wordsInside(schema, "/segments")).toEqual(["user", "judge"]);
});

it("a reference to itself ends", () => {
  expect(helpAt({ ...schema, else: { properties: { a: { $ref: "#/$defs/Loop" } } } }, "/a/b")).toBe(
    undefined,
  );
});
