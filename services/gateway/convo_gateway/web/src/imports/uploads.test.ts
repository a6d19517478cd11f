import { describe, expect, it, vi } from "vitest";
import { failureOf, type ImportShown } from "../api";
import { nameOf, type Told } from "./sending";
import { Uploads } from "./uploads";

/** A line to the gateway that does what the test says. */
function aLine() {
  const told: Told[] = [];
  const stopped: string[] = [];
  const uploads = new Uploads((file, one) => {
    told.push(one);
    return () => stopped.push(file.name);
  });
  const states = () => uploads.list().map(({ name, state }) => `${name} ${state}`);
  return { uploads, told, stopped, states };
}

const file = (name: string) => new File(["x"], name);
const made = (id: string) => ({ id }) as ImportShown;

describe("files that are sent", () => {
  it("go one after the other, and the last one is known as the last", () => {
    const { uploads, told, states } = aLine();
    const onDone = vi.fn();
    uploads.add(file("a"), onDone);
    uploads.add(file("b"), onDone);
    expect(states()).toEqual(["a sending", "b waiting"]);
    told[0]?.sent(1);
    expect(uploads.list()[0]?.sent).toBe(1);
    told[0]?.done(made("imp-a"), false);
    expect(onDone).toHaveBeenLastCalledWith(made("imp-a"), { known: false, last: false });
    expect(states()).toEqual(["b sending"]);
    told[1]?.done(made("imp-b"), true);
    expect(onDone).toHaveBeenLastCalledWith(made("imp-b"), { known: true, last: true });
    expect(states()).toEqual([]);
  });

  it("are stopped, and what comes after goes on", () => {
    const { uploads, told, stopped, states } = aLine();
    const onDone = vi.fn();
    for (const name of ["a", "b", "c"]) uploads.add(file(name), onDone);
    uploads.drop(2);
    uploads.drop(1);
    expect(stopped).toEqual(["a"]);
    expect(states()).toEqual(["c sending"]);
    told[0]?.done(made("imp-a"), false);
    expect(onDone).not.toHaveBeenCalled();
    expect(states()).toEqual(["c sending"]);
  });

  it("stay with the reason why they did not arrive", () => {
    const { uploads, told, stopped, states } = aLine();
    uploads.add(file("a"), vi.fn());
    uploads.add(file("b"), vi.fn());
    told[0]?.failed(failureOf(undefined));
    expect(states()).toEqual(["a failed", "b sending"]);
    expect(uploads.list()[0]?.failure?.status).toBe(0);
    uploads.drop(1);
    expect([states(), stopped]).toEqual([["b sending"], []]);
  });

  it("may be refused before anything is sent", () => {
    const uploads = new Uploads((_, { failed }) => {
      failed(failureOf(undefined));
      return () => undefined;
    });
    uploads.add(file("a"), vi.fn());
    uploads.add(file("b"), vi.fn());
    expect(uploads.list().map(({ state }) => state)).toEqual(["failed", "failed"]);
  });
});

describe("the name of a file", () => {
  it("is cut between characters, and whole", () => {
    expect(nameOf("😀".repeat(300))).toBe("😀".repeat(200));
    expect(nameOf("half \ud83d.jsonl")).toBe("half \ufffd.jsonl");
    expect(() => encodeURIComponent(nameOf(`\ude00${"a".repeat(400)}\ud83d`))).not.toThrow();
  });
});
