/** Two texts as one, with the words that went and the words that came. */
import { diffWordsWithSpace } from "diff";
import { useMemo } from "react";
import { Plain } from "../parts/Plain";

const PATIENCE_MS = 1_000;

export function Changes({ before, after }: { before: string; after: string }) {
  const parts = useMemo(
    () => diffWordsWithSpace(before, after, { timeout: PATIENCE_MS }),
    [before, after],
  );
  if (parts === undefined) return <p>The texts differ too much to be compared word by word.</p>;
  return (
    <p className="review-diff" dir="auto">
      {parts.map(({ value, added, removed }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
        <Part key={at} text={value} as={added ? "ins" : removed ? "del" : "span"} />
      ))}
    </p>
  );
}

function Part({ text, as: As }: { text: string; as: "ins" | "del" | "span" }) {
  return (
    <As>
      <Plain text={text} />
    </As>
  );
}
