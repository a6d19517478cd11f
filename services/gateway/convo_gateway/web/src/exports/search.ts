/** State of the page Exports in its address. */
import { shortText } from "../search";

export interface ExportsSearch {
  /** Only exports of this run. */
  run?: string | undefined;
  /** The export whose parts are shown. */
  export?: string | undefined;
}

export function readExportsSearch(raw: Record<string, unknown>): ExportsSearch {
  return { run: shortText(raw.run), export: shortText(raw.export) };
}
