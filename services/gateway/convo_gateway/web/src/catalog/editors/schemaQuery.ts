import { queryOptions } from "@tanstack/react-query";
import type { Kind } from "../kinds";
import { get } from "../objects";
import type { Schema } from "../schema";

/** The JSON Schema of a kind: its descriptions are the help of the fields. */
export function schemaQuery(kind: Kind) {
  return queryOptions({
    queryKey: ["catalog", "schema", kind],
    queryFn: ({ signal }) => get<Schema>(`/catalog/schemas/${kind}`, {}, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
