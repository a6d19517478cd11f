import { Link } from "@tanstack/react-router";
import type { Conversation, Hit } from "../api";
import { Plain } from "../parts/Plain";
import { LAYERS } from "../run/layers";
import { REASONS } from "./alike";

/** One reason that the filters found: which words, or which neighbour. */
export function OneHit({ of, hit, isRecorded }: { of: string; hit: Hit; isRecorded: boolean }) {
  const { reason, layer, turn, excerpt, detail, neighbour } = hit;
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
        <blockquote dir="auto">
          <Plain text={excerpt} />
        </blockquote>
      )}
      {typeof turn === "number" ? (
        <p>
          <Link to="." search={(before) => ({ ...before, turn: String(turn) })}>
            Turn {turn + 1}
          </Link>
        </p>
      ) : (
        !neighbour && <p className="hit-whole">Of the conversation as a whole; no words of it.</p>
      )}
      {neighbour && <Neighbour of={of} hit={hit} />}
    </div>
  );
}

function Neighbour({ of, hit: { reason, neighbour, similarity, excerpt } }: Hitting) {
  const name = neighbour ?? "";
  const isConversation = /^[A-Za-z0-9_-]+\.\d+\.\d+$/.test(name);
  return (
    <p>
      Too near to{" "}
      {isConversation ? (
        <Link to="/corpus/$conversation" params={{ conversation: name }}>
          {name}
        </Link>
      ) : (
        <strong>
          <Plain text={name} />
        </strong>
      )}
      {typeof similarity === "number" && `, similarity ${similarity.toFixed(3)}`}
      {excerpt && ". The words above stand in both."}{" "}
      <Link
        to="/corpus/$conversation/alike"
        params={{ conversation: of }}
        search={{ reason: REASONS.find((one) => one === reason) }}
      >
        Side by side
      </Link>
    </p>
  );
}

interface Hitting {
  of: string;
  hit: Hit;
}

/** Layer 0: what failed, and the calls that it failed in. */
export function Failure({ of }: { of: Conversation }) {
  const failed = of.calls.filter(({ state }) => state !== "finished" && state !== "deferred");
  return (
    <div className="hit" data-recorded>
      <p className="hit-head">
        <strong>{of.reason}</strong> <span>layer 0, pipeline</span>
        <span className="recorded">recorded</span>
      </p>
      <p>
        <Plain text={of.detail || "A step failed for good."} />
      </p>
      {failed.map(({ step, attempt, role, backend, model, state }) => (
        <p key={`${step} ${attempt}`}>
          <Link to="." search={(before) => ({ ...before, tab: "calls" as const })}>
            Step {step}, attempt {attempt}
          </Link>{" "}
          for {role}, {backend}/{model}: {state}
        </p>
      ))}
      {failed.length === 0 && <p>None of its calls failed; the History tab has its steps.</p>}
    </div>
  );
}
