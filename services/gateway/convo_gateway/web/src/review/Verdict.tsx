/** What the run itself decided, and what people said before: beside the review, never preselected as its answer. */
import type { Conversation, ReviewShown } from "../api";
import { plural } from "../format";
import { Plain } from "../parts/Plain";
import { Section } from "../parts/Section";
import { When } from "../parts/When";
import { DECIDED } from "./opinion";

export function Verdict({ of, history }: { of: Conversation; history: ReviewShown[] }) {
  return (
    <>
      <Section title="What the run decided">
        <p className="review-standing">
          {of.status}
          {of.reason && (
            <>
              {": "}
              <strong>{of.reason}</strong>
            </>
          )}
        </p>
        {of.detail && (
          <p className="review-note" dir="auto">
            <Plain text={of.detail} />
          </p>
        )}
        {of.score !== null && (
          <p className="review-standing">
            Judge's score {of.score.toFixed(2)}
            {of.tally && of.tally.scored > 1 && ", the criteria as the first sample has them"}
          </p>
        )}
        <ul className="review-hits">
          {of.criteria.map(({ name, score, why }) => (
            <li key={name}>
              <strong>{name}</strong> {score}
              {why && (
                <span dir="auto">
                  : <Plain text={why} />
                </span>
              )}
            </li>
          ))}
        </ul>
      </Section>
      {history.length > 0 && (
        <Section title={plural(history.length, "review")}>
          <ol className="review-history">
            {history.map(({ version, reviewer, decision, reason, note, edits, at }) => (
              <li key={version}>
                <strong>
                  <Plain text={reviewer} />
                </strong>
                : {DECIDED[decision]}
                {reason && (
                  <>
                    , <Plain text={reason} />
                  </>
                )}
                {edits.length > 0 && `, ${plural(edits.length, "turn")} edited`}, <When at={at} />
                {note && (
                  <p className="review-note" dir="auto">
                    <Plain text={note} />
                  </p>
                )}
              </li>
            ))}
          </ol>
        </Section>
      )}
    </>
  );
}
