"""From what a run recorded and what changes to a verdict: row by row, and nothing flips where nothing changes."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convo_events.catalog import FilterList, RuleSetting
from convo_events.conversations import Hit
from convo_events.judging import JudgedCriterion, Judging
from convo_events.replays import VerdictSettings
from convo_filters.replay.changes import Changes
from convo_filters.replay.redecide import (
    Record,
    Samples,
    Standing,
    Verdict,
    redecide,
    settled_verdict,
)

JUDGING = Judging(criteria=(JudgedCriterion(name="natural", question="Is it?"),), threshold=3)
OWN = VerdictSettings(near_duplicate=0.7, example_copy=0.5, threshold=3)
ACTS = Hit(reason="stage_direction", layer=1, precedence=70, detail="acts")
LEAKS = Hit(reason="prompt_leak", layer=1, precedence=50, detail="leaks")
NEAR = Hit(reason="near_duplicate", layer=2, precedence=1, similarity=0.8, neighbour="r.0.0")
COPY = Hit(reason="example_copy", layer=2, precedence=2, similarity=0.6, neighbour="greeting")
BELOW = Verdict("rejected", "judge_below_threshold", 3, "score 2 is under the threshold 3")
WORSE = Verdict("rejected", "judge_worse_than_reference", 3, "worse")
ACCEPTED = Verdict("accepted")


def rejected(*hits: Hit, score: float | None = None) -> Record:
    first = hits[0]
    return Record(Verdict("rejected", first.reason, first.layer, first.detail), hits, score, True)


def judged(verdict: Verdict, score: float | None, samples: Samples = ()) -> Record:
    return Record(verdict, (), score, True, samples)


def failed(reason: str, *, filtered: bool) -> Record:
    return Record(Verdict("failed", reason, 0, ""), (), None, filtered)


def stand(record: Record, fresh: dict[str, Hit | None] | None = None, **wanted: Any) -> Standing:
    """Where it stands when these settings are tried."""
    judging = wanted.pop("judging", JUDGING)
    return redecide(
        record, Changes.between(OWN, OWN.model_copy(update=wanted), judging), fresh or {}
    )


def off(*reasons: str) -> dict[str, RuleSetting]:
    return {reason: RuleSetting(enabled=False) for reason in reasons}


@pytest.mark.parametrize(
    ("record", "wanted", "fresh", "ends", "look"),
    [
        # The threshold, over scores that are there.
        (judged(ACCEPTED, 3.0), {"threshold": 3.5}, {}, "judge_below_threshold", "nobody"),
        (judged(ACCEPTED, 3.5), {"threshold": 3.5}, {}, "accepted", "newcomers"),
        (judged(BELOW, 2.0), {"threshold": 2}, {}, "accepted", "everybody"),
        (judged(BELOW, 2.0), {"threshold": None}, {}, "accepted", "everybody"),
        (judged(WORSE, 4.0), {"threshold": 3.5}, {}, "judge_worse_than_reference", "nobody"),
        (judged(WORSE, 4.0), {"threshold": 5}, {}, "judge_below_threshold", "nobody"),
        # Rules off: the next finding in precedence order, and the judge has never seen it.
        (rejected(ACTS), {"rules": off("stage_direction")}, {}, "unjudged", "everybody"),
        (rejected(LEAKS, ACTS), {"rules": off("prompt_leak")}, {}, "stage_direction", "nobody"),
        (rejected(ACTS, COPY), {"rules": off("stage_direction")}, {}, "example_copy", "nobody"),
        (
            rejected(ACTS),
            {"rules": off("stage_direction"), "threshold": None},
            {},
            "accepted",
            "everybody",
        ),
        # Rules that look again: what they find stands in place of what is recorded.
        (
            judged(ACCEPTED, 4.0),
            {"look_again": ("prompt_leak",)},
            {"prompt_leak": LEAKS},
            "prompt_leak",
            "nobody",
        ),
        (rejected(LEAKS, ACTS), {"look_again": ("prompt_leak",)}, {}, "stage_direction", "nobody"),
        (
            judged(BELOW, 2.0),
            {"look_again": ("prompt_leak",)},
            {"prompt_leak": LEAKS},
            "prompt_leak",
            "nobody",
        ),
        (
            failed("judge_unparsed", filtered=True),
            {"look_again": ("prompt_leak",)},
            {"prompt_leak": LEAKS},
            "prompt_leak",
            "nobody",
        ),
        # Layer 2.
        (rejected(COPY), {"example_copy": 0.7}, {}, "unjudged", "everybody"),
        (rejected(COPY), {"example_copy": None}, {}, "unjudged", "everybody"),
        (
            judged(ACCEPTED, 4.0),
            {"example_copy": 0.2},
            {"example_copy": COPY},
            "example_copy",
            "nobody",
        ),
        (rejected(NEAR), {"near_duplicate": 0.9}, {}, "unjudged", "everybody"),
        (rejected(NEAR, score=4.0), {"near_duplicate": 0.9}, {}, "accepted", "everybody"),
        (rejected(NEAR), {"near_duplicate": None}, {}, "unjudged", "nobody"),
        (judged(ACCEPTED, 4.0), {"near_duplicate": 0.5}, {}, "accepted", "everybody"),
        (judged(BELOW, 2.0), {"near_duplicate": 0.5}, {}, "judge_below_threshold", "nobody"),
        # What failed before anybody looked stays failed; what the judge did not manage needs the judge.
        (
            failed("generation_failed", filtered=False),
            {"threshold": None},
            {},
            "generation_failed",
            "nobody",
        ),
        (
            failed("judge_unparsed", filtered=True),
            {"threshold": 1},
            {},
            "judge_unparsed",
            "newcomers",
        ),
        (failed("judge_unparsed", filtered=True), {"threshold": None}, {}, "accepted", "everybody"),
        (
            failed("pipeline_failed", filtered=True),
            {"threshold": None},
            {},
            "pipeline_failed",
            "newcomers",
        ),
    ],
)
def test_a_record_is_decided_again(
    record: Record, wanted: dict[str, Any], fresh: dict[str, Hit | None], ends: str, look: str
) -> None:
    standing = stand(record, fresh, **wanted)
    assert (standing.otherwise.reason or standing.otherwise.status, standing.look) == (ends, look)
    assert standing.near is None


def test_a_recorded_neighbour_counts_while_it_is_above_the_limit() -> None:
    near = stand(rejected(NEAR, COPY), near_duplicate=0.75)
    assert near.near == NEAR
    assert settled_verdict(near, near.near).reason == "near_duplicate"
    assert settled_verdict(near, None).reason == "example_copy"
    assert stand(rejected(NEAR), near_duplicate=0.8).near is None


def test_a_run_without_a_judge_would_have_to_ask_one() -> None:
    own = OWN.model_copy(update={"threshold": None})
    changes = Changes.between(own, OWN)
    assert redecide(judged(ACCEPTED, None), changes, {}).otherwise.status == "unjudged"


@pytest.mark.parametrize(
    ("samples", "threshold", "ends"),
    [
        ((((3.0, 4.0, 2.0), 0),), 3, "accepted"),
        ((((3.0, 4.0, 2.0), 0),), 3.5, "judge_below_threshold"),
        # Two agreed and the third was never asked: it could not decide then, and could now.
        ((((3.0, 4.0), 1),), 2.5, "accepted"),
        ((((3.0, 4.0), 1),), 3.5, "unjudged"),
    ],
)
def test_several_samples_are_reduced_as_in_the_run(
    samples: Samples, threshold: float, ends: str
) -> None:
    judging = JUDGING.model_copy(update={"samples": 3, "reducer": "majority"})
    # Recorded under another threshold than any that is tried.
    own = OWN.model_copy(update={"threshold": 2})
    changes = Changes.between(own, own.model_copy(update={"threshold": threshold}), judging)
    standing = redecide(judged(ACCEPTED, 3.0, samples), changes, {})
    assert (standing.otherwise.reason or standing.otherwise.status) == ends


def test_what_passes_now_and_was_never_compared_would_go_on_to_be() -> None:
    compared = {"comparison": {"example": "greeting", "worse": "reject"}}
    judging = Judging.model_validate(JUDGING.model_dump() | compared)
    assert stand(judged(BELOW, 2.0), threshold=2, judging=judging).otherwise.status == "unjudged"


def test_only_what_differs_is_looked_at_again() -> None:
    rules = {"wrong_length": RuleSetting(parameters={"tolerance": 2})}
    listed = (FilterList(name="sales", phrases=("buy",)),)
    wanted = OWN.model_copy(update={"rules": rules | off("truncated"), "filter_lists": listed})
    changes = Changes.between(OWN, wanted, JUDGING)
    assert changes.again == {"wrong_length", "banned_phrase"}
    assert changes.off == {"truncated"}
    same = Changes.between(wanted, wanted, JUDGING)
    assert same.again == frozenset()
    assert (same.reads_turns, same.judges_anew) == (False, False)


LAYER_2 = {"near_duplicate": 1, "example_copy": 2}
hits = st.builds(
    Hit,
    reason=st.sampled_from(["a_rule", "b_rule", "near_duplicate", "example_copy"]),
    layer=st.just(1),
    precedence=st.integers(1, 200),
    similarity=st.none() | st.floats(0, 1),
).map(
    lambda hit: hit.model_copy(
        update={
            "layer": 2 if hit.reason in LAYER_2 else 1,
            "precedence": LAYER_2.get(hit.reason, hit.precedence),
            "similarity": max(hit.similarity or 0, 0.71),
        }
    )
)
records = st.one_of(
    st.lists(hits, min_size=1, max_size=4, unique_by=lambda hit: hit.reason).map(
        lambda found: rejected(*sorted(found, key=lambda hit: (hit.layer, hit.precedence)))
    ),
    st.builds(judged, st.just(ACCEPTED), st.none() | st.floats(3, 5)),
    st.builds(judged, st.sampled_from([BELOW, WORSE]), st.floats(1, 5)),
    st.builds(
        failed,
        st.sampled_from(["generation_failed", "judge_failed", "spend_cap"]),
        filtered=st.booleans(),
    ),
)


@given(
    records, st.sampled_from([OWN, VerdictSettings(), OWN.model_copy(update={"threshold": None})])
)
def test_the_run_s_own_settings_give_the_run_s_own_verdict(
    record: Record, own: VerdictSettings
) -> None:
    changes = Changes.between(own, own, JUDGING)
    impossible = own.near_duplicate is None and any(hit.layer == 2 for hit in record.hits)
    if impossible or (own.threshold is None and record.verdict.layer == 3):
        return
    if own.threshold is None and record.verdict.reason.startswith("judge_"):
        return
    standing = redecide(record, changes, {})
    assert not settled_verdict(standing, standing.near).differs(record.verdict)
