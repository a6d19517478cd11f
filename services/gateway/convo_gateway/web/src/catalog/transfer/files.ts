/** Files that go into the catalog: what the gateway is sent, and what it says of them. */
import { client } from "../../client/client.gen";

export type TableKind = "personas" | "voices" | "pools";
export const TABLE_KINDS: readonly TableKind[] = ["personas", "voices", "pools"];

export interface FileChange {
  action: "create" | "update" | "unchanged";
  kind: string;
  name: string;
  version: number;
}

export interface PlacedProblem {
  message: string;
  line?: number | null;
  column?: number | null;
  pointer?: string;
}

export interface FileAnswer {
  changes: FileChange[];
  problems?: PlacedProblem[];
  warnings?: PlacedProblem[];
}

export interface BulkAnswer {
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  errors: { row: number; column: string; message: string }[];
  errors_total: number;
  written: boolean;
}

export interface BulkWish {
  dry_run: boolean;
  skip_bad: boolean;
  note: string | undefined;
  mode: "replace" | "append" | undefined;
}

export const MEDIA = {
  yaml: "application/yaml",
  csv: "text/csv",
  jsonl: "application/x-ndjson",
} as const;

/** Send a file as it is. */
async function send<Answer>(
  path: string,
  media: string,
  content: Blob | string,
  query: Record<string, string | boolean | undefined>,
): Promise<Answer> {
  const { data } = await client.post<{ 200: Answer }, unknown, true>({
    url: `/api/v1${path}`,
    query,
    body: content,
    bodySerializer: null,
    headers: { "Content-Type": media },
    throwOnError: true,
  });
  return data;
}

export function checkYaml(text: string): Promise<FileAnswer> {
  return send("/catalog/check", MEDIA.yaml, text, {});
}

export function importYaml(text: string, note: string): Promise<FileAnswer> {
  return send("/catalog/import", MEDIA.yaml, text, { note: note || undefined });
}

export function sendTable(
  kind: TableKind,
  form: "csv" | "jsonl",
  content: Blob | string,
  wish: BulkWish,
): Promise<BulkAnswer> {
  return send(`/${kind}/bulk`, MEDIA[form], content, { ...wish });
}

/** How a table is written: lines of JSON begin with a brace. */
export function formOf(name: string, text: string): "csv" | "jsonl" {
  if (/\.(jsonl|ndjson)$/i.test(name)) return "jsonl";
  if (/\.(csv|tsv)$/i.test(name)) return "csv";
  return text.trimStart().startsWith("{") ? "jsonl" : "csv";
}

/** Where a line stands in a text: the offsets of its first and its last character. */
export function lineRange(text: string, line: number): [from: number, to: number] {
  let from = 0;
  for (let at = 1; at < line; at += 1) {
    const end = text.indexOf("\n", from);
    if (end === -1) return [text.length, text.length];
    from = end + 1;
  }
  const end = text.indexOf("\n", from);
  return [from, end === -1 ? text.length : end];
}
