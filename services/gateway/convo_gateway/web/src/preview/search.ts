/** State of the seed preview in its address. */
import { shortText } from "../search";

export interface PreviewSearch {
  /** Conversations of the plan; none: as the config says. */
  count?: string | undefined;
  seed?: string | undefined;
  version?: string | undefined;
  /** The first row in sight, by the number of its conversation, from 0. */
  at?: string | undefined;
  /** The conversation whose prompts are shown, from 0. */
  index?: string | undefined;
}

export function readPreviewSearch(raw: Record<string, unknown>): PreviewSearch {
  return {
    count: whole(raw.count, 8),
    seed: whole(raw.seed, 16),
    version: whole(raw.version, 9),
    at: whole(raw.at, 8),
    index: whole(raw.index, 8),
  };
}

function whole(value: unknown, most: number): string | undefined {
  const text = shortText(value, most + 1);
  return text !== undefined && text.length <= most && /^\d+$/.test(text) ? text : undefined;
}
