import type { Conversation, ReviewShown } from "../api";
import { Plain } from "../parts/Plain";
import { Failed, Loading } from "../parts/states";
import { When } from "../parts/When";
import { Changes } from "../review/Changes";
import { DECIDED } from "../review/opinion";
import "../review/review.css";
import { useReviewsOf } from "../review/useReviews";

/** What people decided and changed, newest first; the turns and the verdict stay what the run made of them. */
export function Reviews({ of }: { of: Conversation }) {
  const isReviewed = of.review !== "" || of.edited;
  const { data, error } = useReviewsOf(of.id, isReviewed);
  if (!isReviewed) return null;
  return (
    <>
      <h2>People</h2>
      {error && <Failed error={error} what="Reviews" />}
      {!data && !error && <Loading what="what people said" />}
      {data?.history.map((review) => (
        <OneReview key={review.version} of={of} review={review} />
      ))}
    </>
  );
}

function OneReview({ of, review }: { of: Conversation; review: ReviewShown }) {
  const { reviewer, decision, reason, note, edits, at } = review;
  return (
    <div className="hit">
      <p className="hit-head">
        <strong>
          <Plain text={reviewer} />
        </strong>
        <span>
          {DECIDED[decision]}, <When at={at} />
        </span>
      </p>
      {reason && (
        <p>
          <Plain text={reason} />
        </p>
      )}
      {note && (
        <p className="review-note" dir="auto">
          <Plain text={note} />
        </p>
      )}
      {edits.map(({ turn, text }) => {
        // Of a long conversation only the first turns may be here.
        const made = of.messages.find(({ number }) => number === turn)?.text;
        return (
          <div key={turn}>
            <p className="hit-whole">Turn {turn + 1} was changed:</p>
            <Changes before={made ?? text} after={text} />
          </div>
        );
      })}
    </div>
  );
}
