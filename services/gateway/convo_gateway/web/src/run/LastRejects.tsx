import { Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { memo } from "react";
import type { Reject } from "../api";
import { Plain } from "../parts/Plain";
import { Section } from "../parts/Section";
import { When } from "../parts/When";
import type { LiveReject } from "./runView";

interface Props {
  run: string;
  live: LiveReject[];
  /** What was read of them; those that came since have only their reason. */
  known: Reject[];
}

/** The conversations that were rejected last, newest first. */
export const LastRejects = memo(function LastRejects({ run, live, known }: Props) {
  const byId = new Map(known.map((reject) => [reject.id, reject]));
  return (
    <Section title="Last 10 rejects">
      {live.length === 0 ? (
        <Text c="dimmed">Nothing was rejected.</Text>
      ) : (
        <ol className="last-rejects">
          {live.map(({ id, reason }) => (
            <OneReject key={id} run={run} id={id} reason={reason} known={byId.get(id)} />
          ))}
        </ol>
      )}
    </Section>
  );
});

interface OneProps {
  run: string;
  id: string;
  reason: string;
  known: Reject | undefined;
}

const OneReject = memo(function OneReject({ run, id, reason, known }: OneProps) {
  return (
    <li>
      <Link
        to="/corpus/$conversation"
        params={{ conversation: id }}
        search={{ run: [run], status: ["rejected"] }}
        className="last-reject"
        title={id}
        data-row
      >
        <span className="last-reject-head">
          <strong>{reason}</strong>
          <span className="last-reject-id">{id.slice(run.length + 1)}</span>
        </span>
        <Detail of={known} />
      </Link>
    </li>
  );
});

function Detail({ of }: { of: Reject | undefined }) {
  if (of === undefined) return <span className="last-reject-detail">&nbsp;</span>;
  return (
    <span className="last-reject-detail">
      <span className="last-reject-words" dir="auto">
        <Found of={of} />
      </span>
      <When at={of.settled_at} />
    </span>
  );
}

/** Which neighbour, which words, or, where there are neither, why in words. */
function Found({ of }: { of: Reject }) {
  if (of.neighbour !== null) {
    const near = of.similarity === null ? "" : ` (${of.similarity.toFixed(3)})`;
    return (
      <>
        like <Plain text={of.neighbour} />
        {near}
      </>
    );
  }
  if (of.excerpt) {
    return (
      <>
        “<Plain text={of.excerpt} />”
      </>
    );
  }
  const score = of.score === null ? "" : `, score ${of.score.toFixed(2)}`;
  return <Plain text={of.detail || `${of.persona}${score}`} />;
}
