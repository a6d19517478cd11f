/** The backends that a role can choose from, with the prices of their models. */
import { useQuery } from "@tanstack/react-query";
import type { CatalogPage } from "../api";
import { isObject, type Json } from "../catalog/json";
import { get } from "../catalog/objects";

export interface ModelChoice {
  name: string;
  /** Such as `$2.00 in, $8.00 out per million tokens`. */
  price: string;
}

export type Backends = Map<string, ModelChoice[]>;

export function useBackends() {
  return useQuery({
    queryKey: ["catalog", "backends", "with-models"],
    queryFn: async ({ signal }): Promise<Backends> => {
      const page = await get<CatalogPage>("/backends", { limit: 1_000, bodies: true }, signal);
      return new Map(page.items.map(({ name, body }) => [name, modelsOf((body ?? {}) as Json)]));
    },
    staleTime: 30_000,
  });
}

function modelsOf(body: Json): ModelChoice[] {
  const models = isObject(body) && Array.isArray(body.models) ? body.models : [];
  return models
    .filter(isObject)
    .map(({ name, prices }) => ({ name: String(name), price: priceText(prices) }));
}

/** What a model costs, in words; a model without a price is unknown and not free. */
export function priceText(prices: Json | undefined): string {
  const rates = isObject(prices) ? prices.rates : undefined;
  if (!isObject(rates)) return "price unknown";
  const [input, output, request] = [rates.input, rates.output, rates.per_request].map(Number);
  if (!input && !output && !request) return "free";
  const tokens = `${dollars(input)} in, ${dollars(output)} out per million tokens`;
  return request ? `${tokens}, ${dollars(request)} a call` : tokens;
}

function dollars(usd: number | undefined): string {
  const text = String(usd ?? 0);
  return `$${/^\d+(\.\d)?$/.test(text) ? Number(text).toFixed(2) : text}`;
}
