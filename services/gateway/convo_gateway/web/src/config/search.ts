/** State of the pages of a run config in their addresses. */
import { oneOf, shortText } from "../search";

export interface EditSearch {
  /** How the config is shown; none: as a form. */
  view?: "yaml" | undefined;
}

export interface NewSearch extends EditSearch {
  /** Name of the config that the new one begins as a copy of. */
  from?: string | undefined;
  /** What it begins as where it is no copy. */
  mode?: "import" | undefined;
}

export function readEditSearch(raw: Record<string, unknown>): EditSearch {
  return { view: oneOf(raw.view, ["yaml"] as const) };
}

export function readNewSearch(raw: Record<string, unknown>): NewSearch {
  return {
    ...readEditSearch(raw),
    from: shortText(raw.from) ?? shortText(raw.like),
    mode: oneOf(raw.mode, ["import"] as const),
  };
}
