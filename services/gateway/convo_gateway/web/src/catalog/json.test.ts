import { describe, expect, it } from "vitest";
import { partAt, pathOf, pointerOf, same, withPart } from "./json";

const config = { roles: { user: { model: "m" } }, list: [{ a: 1 }, { a: 2 }] };

describe("a part by its pointer", () => {
  it.each([
    ["", config],
    ["/roles/user/model", "m"],
    ["/list/1/a", 2],
    ["/list/7/a", undefined],
    ["/roles/toString", undefined],
  ])("at %j", (pointer, part) => expect(partAt(config, pointer)).toEqual(part));

  it("is written into a copy", () => {
    const changed = withPart(config, "/list/0/a", 9);
    expect(changed).toEqual({ ...config, list: [{ a: 9 }, { a: 2 }] });
    expect(config.list[0]).toEqual({ a: 1 });
  });

  it("is made with what it stands in, and added to the end of a list", () => {
    expect(withPart({}, "/a/b", 1)).toEqual({ a: { b: 1 } });
    expect(withPart({ a: [1] }, "/a/1", 2)).toEqual({ a: [1, 2] });
  });

  it("is taken out", () => {
    expect(withPart(config, "/list/0", undefined)).toEqual({ ...config, list: [{ a: 2 }] });
    expect(withPart({ a: 1, b: 2 }, "/a", undefined)).toEqual({ b: 2 });
  });
});

it("a pointer keeps slashes and tildes of keys", () => {
  const path = ["a/b", "~c", "0"];
  expect(pathOf(pointerOf(path))).toEqual(path);
});

it("the order of keys does not count, that of a list does", () => {
  expect(same({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true);
  expect(same([1, 2], [2, 1])).toBe(false);
  expect(same({ a: undefined }, { b: undefined })).toBe(false);
});
