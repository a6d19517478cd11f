import { Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Distributions } from "../api";
import { DASH } from "../format";
import { ShareColumns } from "../parts/ShareBars";
import { comparedWords, likenessBars } from "./distributions";

const NEAREST = "Conversations by the similarity to the nearest one before them";

/** How near conversations are to each other. */
export function Likeness({ run, found }: { run: string; found: Distributions }) {
  const { mean, highest, between, limit, pairs } = found.similarity;
  return (
    <div className="spread likeness">
      <h3>Self-similarity</h3>
      <Text size="sm" c="dimmed">
        {comparedWords(found)} Jaccard similarity of word 3-grams without template text, as for near
        duplicates{limit === null ? "" : `; the limit is ${limit}`}.
      </Text>
      <dl className="facts likeness-facts">
        <div>
          <dt>Mean of all pairs</dt>
          <dd>{mean === null ? DASH : mean.toFixed(3)}</dd>
        </div>
        <div>
          <dt>Nearest two</dt>
          <dd>
            {highest === null ? DASH : highest.toFixed(3)}
            {between.length > 0 && (
              <span className="between">
                conversations
                {between.map((id) => (
                  <Link key={id} to="/corpus/$conversation" params={{ conversation: id }}>
                    {id.slice(run.length + 1)}
                  </Link>
                ))}
              </span>
            )}
          </dd>
        </div>
      </dl>
      {pairs > 0 && (
        <>
          <Text size="sm" c="dimmed" mt="xs">
            {NEAREST}
          </Text>
          <ShareColumns
            summary={NEAREST}
            dimension="Similarity"
            measure="Conversations"
            bars={likenessBars(found.similarity)}
          />
        </>
      )}
    </div>
  );
}
