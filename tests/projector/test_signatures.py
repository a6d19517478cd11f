"""The near-duplicate index as a fold. Numbers in names are public faults that must not come back."""

from datetime import UTC, datetime

from convo_events.fingerprints import Fingerprint
from convo_events.similarity import band_hashes, encode_signature, minhash, shingles
from convo_events.steps import ConversationAccepted
from convo_projector.projections import signatures
from convo_projector.stamp import Stamp

NOW = Stamp(7, datetime(2026, 3, 1, tzinfo=UTC), late=False)
WHOLE = shingles(["we sanded the old hull for three long days before the varnish went on"])
MINIMA = minhash(WHOLE)
OWN = band_hashes(MINIMA, 0.7, "run-a")
LEFT = Fingerprint.of(WHOLE, MINIMA)


def accepted(**marks: str) -> ConversationAccepted:
    return ConversationAccepted(
        run="run-a", thread=3, conversation=1, leader=1, last=False, **marks
    )


def test_d06_a_replayed_acceptance_is_the_same_one_row() -> None:
    event = accepted(signature=encode_signature(OWN), fingerprint=LEFT.encode())
    ((key, row),) = signatures.rows(event, NOW)
    assert key == ("run-a.3.1",)
    assert (row.bands, row.corpus, row.sample) == (list(OWN), list(LEFT.bands), list(LEFT.sample))
    assert dict(signatures.rows(event, NOW) * 2) == {key: row}
    late = Stamp(8, NOW.at, late=True)
    assert signatures.rows(event, late) == []


def test_what_an_earlier_convo_accepted_is_found_by_its_own_run_only() -> None:
    ((_, row),) = signatures.rows(accepted(signature=encode_signature(OWN)), NOW)
    assert (row.bands, row.corpus, row.sample) == (list(OWN), [], [])


def test_without_a_limit_it_is_still_found_by_others() -> None:
    ((_, row),) = signatures.rows(accepted(fingerprint=LEFT.encode()), NOW)
    assert (row.bands, len(row.corpus)) == ([], 42)
    assert signatures.rows(accepted(), NOW) == []
