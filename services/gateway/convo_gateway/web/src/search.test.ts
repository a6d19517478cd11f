import { describe, expect, it } from "vitest";
import { readRunsSearch } from "./runs/search";
import { parseSearch, stringifySearch } from "./search";

describe("an address", () => {
  it("holds what was chosen, and comes back", () => {
    const search = { q: "a b&c", status: ["running", "failed"], sort: "-cost", form: undefined };
    const text = stringifySearch(search);
    expect(text).toBe("?q=a+b%26c&status=running,failed&sort=-cost");
    expect(readRunsSearch(parseSearch(text))).toEqual(search);
  });

  it("is bare where nothing was chosen", () => {
    expect(stringifySearch({ q: "", status: undefined })).toBe("");
    expect(readRunsSearch({})).toEqual({});
  });

  it("loses what is unknown, too long or the default", () => {
    const raw = { status: "running,melting", sort: "-started", form: "ajar", q: "x".repeat(999) };
    expect(readRunsSearch(raw)).toEqual({ status: ["running"], q: "x".repeat(200) });
  });
});
