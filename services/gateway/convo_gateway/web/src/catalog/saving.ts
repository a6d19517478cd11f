/** Writing an object of any size. */
import { Failure, failureOf } from "../api";
import type { Json } from "./json";
import type { Kind } from "./kinds";
import { get, type Item, pathOfObject, save } from "./objects";
import { sendTable } from "./transfer/files";

/** A body above this is sent as a table: the gateway takes a megabyte of JSON. */
const LARGE = 900_000;
const NOT_THERE = 404;

/** As `save`; a pool that is too large for JSON goes as a table. */
export async function saveObject(
  kind: Kind,
  body: Item["body"],
  note: string,
  base?: Item,
): Promise<Item> {
  if (kind === "pools" && sizeOf(body.values) > LARGE) return saveLargePool(body, note, base);
  return save(kind, body, note, base);
}

function sizeOf(values: Json | undefined): number {
  if (!Array.isArray(values)) return 0;
  // Three bytes a character, as most scripts but Latin have; quotes and a comma.
  return values.reduce<number>((sum, value) => sum + String(value).length * 3 + 3, 0);
}

/** A table knows no version that it is based on, so the latest is looked at right before. */
async function saveLargePool(body: Item["body"], note: string, base?: Item): Promise<Item> {
  const name = String(body.name);
  const latest = await latestOf(name);
  if (latest?.version !== base?.version) {
    throw new Failure({
      type: "urn:convo:problem:changed-meanwhile",
      title: "Somebody else was faster",
      status: base ? 412 : 409,
      detail: "The pool has another version by now.",
    });
  }
  const values = Array.isArray(body.values) ? body.values : [];
  const rows = values.map((value) => JSON.stringify({ pool: name, value })).join("\n");
  try {
    await sendTable("pools", "jsonl", rows, {
      dry_run: false,
      skip_bad: false,
      note: note || undefined,
      mode: "replace",
    });
  } catch (error) {
    throw ofValues(failureOf(error));
  }
  return get<Item>(pathOfObject("pools", name));
}

async function latestOf(name: string): Promise<Item | undefined> {
  if (name === "") return undefined;
  return get<Item>(pathOfObject("pools", name)).catch((error: unknown) => {
    if (failureOf(error).status === NOT_THERE) return undefined;
    throw error;
  });
}

/** What is said of row 3 of the table is said of the third value. */
function ofValues(failure: Failure): Failure {
  const errors = failure.problem.errors?.map((error) => {
    const [, row, column] = /^\/(\d+)\/(\w*)$/.exec(error.pointer ?? "") ?? [];
    if (column === "pool") return { ...error, pointer: "/name" };
    return row ? { ...error, pointer: `/values/${Number(row) - 1}` } : error;
  });
  return new Failure({ ...failure.problem, errors });
}
