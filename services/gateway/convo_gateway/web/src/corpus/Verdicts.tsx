import { Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Conversation, Hit } from "../api";
import { Plain } from "../parts/Plain";
import { LAYERS } from "../run/layers";
import { allHits } from "./marks";

/** Why it was rejected: every hit in precedence order, and what the judge said. */
export function Verdicts({ of }: { of: Conversation }) {
  const hits = allHits(of.hit, of.also);
  return (
    <div className="verdict-list">
      <h2>Filters and diversity</h2>
      {of.layer === 0 && (
        <div className="hit" data-recorded>
          <p className="hit-head">
            <strong>{of.reason}</strong> <span>layer 0, pipeline</span>
            <span className="recorded">recorded</span>
          </p>
          <p>
            <Plain text={of.detail || "A step failed for good."} />
          </p>
        </div>
      )}
      {hits.length === 0 && of.layer !== 0 && (
        <Text c="dimmed">{of.status === "open" ? "No verdict yet." : "Nothing was found."}</Text>
      )}
      {hits.map((hit) => (
        <OneHit
          key={`${hit.layer} ${hit.precedence} ${hit.reason} ${hit.turn} ${hit.start}`}
          hit={hit}
          isRecorded={hit === of.hit}
        />
      ))}
      <h2>Judge</h2>
      <Judge of={of} />
    </div>
  );
}

function OneHit({ hit, isRecorded }: { hit: Hit; isRecorded: boolean }) {
  const { reason, layer, turn, excerpt, detail, neighbour, similarity } = hit;
  return (
    <div className="hit" data-recorded={isRecorded || undefined}>
      <p className="hit-head">
        <strong>{reason}</strong>{" "}
        <span>
          layer {layer}, {LAYERS[layer]}
        </span>
        {isRecorded && <span className="recorded">recorded</span>}
      </p>
      {detail && (
        <p>
          <Plain text={detail} />
        </p>
      )}
      {excerpt && (
        <blockquote>
          <Plain text={excerpt} />
        </blockquote>
      )}
      {typeof turn === "number" && (
        <p>
          <Link to="." search={(before) => ({ ...before, turn: String(turn) })}>
            Turn {turn + 1}
          </Link>
        </p>
      )}
      {neighbour && (
        <p>
          Too near to <Neighbour id={neighbour} />
          {typeof similarity === "number" && `, similarity ${similarity.toFixed(3)}`}
          {excerpt && ". The words above stand in both."}
        </p>
      )}
    </div>
  );
}

/** Another conversation, or the name of an example. */
function Neighbour({ id }: { id: string }) {
  if (!/^[A-Za-z0-9_-]+\.\d+\.\d+$/.test(id)) return <strong>{id}</strong>;
  return (
    <Link to="/corpus/$conversation" params={{ conversation: id }}>
      {id}
    </Link>
  );
}

function Judge({ of }: { of: Conversation }) {
  if (of.criteria.length === 0) {
    return <Text c="dimmed">The judge was not asked, or has not answered.</Text>;
  }
  return (
    <>
      <p>
        Score <strong>{of.score?.toFixed(2) ?? "–"}</strong>
        {of.reason === "judge_below_threshold" && of.detail && (
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
            <dd>
              <Plain text={why ?? ""} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
