import { expect, it } from "vitest";
import { poolVariable, templateLines } from "./template";

it("tags stand apart, line by line, and nothing is lost", () => {
  const text = "Hi {{ persona.name }}\n{% if turn\n  > 1 %}{# no #}again{{\n{{ }";
  const lines = templateLines(text);
  expect(lines.map((line) => line.map((piece) => piece.text).join("")).join("\n")).toBe(text);
  expect(lines.map((line) => line.map(({ kind }) => kind))).toEqual([
    ["text", "variable"],
    ["statement"],
    ["statement", "comment", "text"],
    ["text"],
  ]);
});

it("a pool's name becomes a variable", () => {
  expect(poolVariable("simple-skills.v2")).toBe("simple_skills_v2");
});
