import { Text } from "@mantine/core";
import type { Conversation } from "../api";
import { Plain } from "../parts/Plain";
import { Failure, OneHit } from "./Hits";
import { Judgements } from "./Judgements";
import { unjudged } from "./judging";
import { allHits } from "./marks";
import { Reviews } from "./Reviews";

/** Why it was rejected: every hit in precedence order, and what the judge said. */
export function Verdicts({ of }: { of: Conversation }) {
  const hits = allHits(of.hit, of.also);
  return (
    <div className="verdict-list">
      <h2>Filters and diversity</h2>
      {of.layer === 0 && <Failure of={of} />}
      {hits.length === 0 && of.layer !== 0 && (
        <Text c="dimmed">{of.status === "open" ? "No verdict yet." : "Nothing was found."}</Text>
      )}
      {hits.map((hit) => (
        <OneHit
          key={`${hit.layer} ${hit.precedence} ${hit.reason} ${hit.turn} ${hit.start}`}
          of={of.id}
          hit={hit}
          isRecorded={hit === of.hit}
        />
      ))}
      <h2>Judge</h2>
      <Judge of={of} />
      <Reviews of={of} />
    </div>
  );
}

function Judge({ of }: { of: Conversation }) {
  if (of.criteria.length === 0) {
    return of.judgements.length === 0 ? (
      <Text c="dimmed">{unjudged(of)}</Text>
    ) : (
      <>
        <Text c="dimmed">No score that counts.</Text>
        <Judgements of={of} />
      </>
    );
  }
  return (
    <>
      <p>
        Score <strong>{of.score?.toFixed(2) ?? "–"}</strong>
        {of.tally && of.tally.scored > 1 && ", the criteria as the first sample has them"}
        {of.layer === 3 && of.detail && (
          <>
            : <Plain text={of.detail} />
          </>
        )}
      </p>
      <dl className="criteria">
        {of.criteria.map(({ name, score, why, anchor }) => (
          <div key={name}>
            <dt>
              {name} <strong>{score}</strong>
            </dt>
            {anchor && (
              <dd className="anchor">
                <Plain text={anchor} />
              </dd>
            )}
            <dd dir="auto">
              <Plain text={why ?? ""} />
            </dd>
          </div>
        ))}
      </dl>
      <Judgements of={of} />
    </>
  );
}
