"""Every event ever written decodes for ever, and whatever else comes is refused with a reason."""

from pathlib import Path

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from convo_events.codec import KNOWN_TYPES, Event, Undecodable, UnknownType, decode, encode
from convo_events.conversations import Turn
from convo_events.outcomes import Generated
from tests.events.drawing import facts
from tests.events.examples import ENVELOPE, EXAMPLES

GOLDEN = Path(__file__).parent / "golden"
BY_TYPE = {example.type: example for example in EXAMPLES}


def golden(name: str) -> Path:
    return GOLDEN / f"{name}.v1.json"


def changed(**fields: object) -> bytes:
    """The golden generated turn with parts of its document replaced; None takes a part out."""
    document = orjson.loads(golden("step.generated").read_bytes())
    for path, value in fields.items():
        *parents, last = path.split("__")
        part = document
        for parent in parents:
            part = part[parent]
        if value is None:
            del part[last]
        else:
            part[last] = value
    return orjson.dumps(document)


def test_every_type_has_a_golden_file() -> None:
    assert {path.name for path in GOLDEN.glob("*.v1.json")} == {
        golden(name).name for name in KNOWN_TYPES
    }
    assert set(BY_TYPE) == set(KNOWN_TYPES)


@pytest.mark.parametrize("name", sorted(KNOWN_TYPES))
def test_a_golden_file_decodes_and_is_written_the_same(name: str) -> None:
    raw = golden(name).read_bytes().strip()

    envelope, event = decode(raw)

    assert event == BY_TYPE[name]
    assert envelope == ENVELOPE
    assert encode(envelope, event) == raw


@pytest.mark.parametrize("path", sorted((GOLDEN / "earlier").iterdir()), ids=lambda path: path.stem)
def test_what_an_earlier_convo_wrote_reads_the_same(path: Path) -> None:
    """An event may get a field with a default: files of before it stay here."""
    envelope, event = decode(path.read_bytes().strip())

    assert (envelope, event) == (ENVELOPE, BY_TYPE[event.type])


@pytest.mark.parametrize("part", ["event__origin", "event__origin__left_out"])
def test_a_turn_that_was_written_is_written_as_before_there_were_imports(part: str) -> None:
    raw = changed(**{part: None})
    assert encode(*decode(raw)) == raw


@given(st.one_of(*(facts(kind) for kind in Event.__args__)))
@settings(max_examples=150, deadline=None)
def test_what_is_encoded_is_decoded(event: Event) -> None:
    assert decode(encode(ENVELOPE, event)) == (ENVELOPE, event)


@given(st.binary(max_size=200))
@settings(max_examples=100, deadline=None)
def test_any_bytes_are_an_event_or_undecodable(raw: bytes) -> None:
    with pytest.raises(Undecodable):
        decode(raw)


def test_an_unknown_type_is_named() -> None:
    with pytest.raises(UnknownType, match=r"step\.dreamed"):
        decode(changed(event__type="step.dreamed"))


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"", "not an event"),
        (b"{", "not an event"),
        (b"[]", "not an event"),
        (b'"text"', "not an event"),
        (b"null", "not an event"),
        (b"{}", "not an event"),
        (b'{"event": []}', "not an event"),
        (b'{"event": {"type": ["step.generated"]}}', "not an event"),
        (b'\xff{"event": {}}', "not an event"),
        (changed(id=None), "'id'"),
        (changed(at=None), "'at'"),
        (changed(producer=None), "'producer'"),
        (changed(id=""), "id ''"),
        (changed(id="o:\x00:1"), "visible ASCII"),
        (changed(id="o" * 301), "visible ASCII"),
        (changed(at="yesterday"), "yesterday"),
        (changed(at="2026-03-01T12:00:00"), "no offset"),
        (changed(event__turns=None), "turns"),
        (changed(event__thread=-1), "thread"),
        (changed(event__thread=2**31), "thread"),
        (changed(event__run="a\x00b"), "run"),
        (changed(event__run="a b"), "run"),
        (changed(event__run="a.b"), "run"),
        (changed(event__v=2), "'v'"),
        (changed(event__call={"role": "cook"}), "role"),
    ],
)
def test_what_is_no_event_says_why(raw: bytes, why: str) -> None:
    with pytest.raises(Undecodable, match=r"not an event|bad event field") as caught:
        decode(raw)
    assert why in str(caught.value)


def test_fields_of_a_newer_version_are_ignored() -> None:
    _, event = decode(changed(colour="red", event__colour="red"))

    assert event == BY_TYPE["step.generated"]


def test_lone_surrogates_never_reach_the_log() -> None:
    event = BY_TYPE["step.generated"]
    assert isinstance(event, Generated)
    turns = (Turn(role="user", text="a\ud83db"), Turn(role="user", text="\udc00"))

    _, back = decode(encode(ENVELOPE, event.model_copy(update={"turns": turns})))

    assert isinstance(back, Generated)
    assert [turn.text for turn in back.turns] == ["a\ufffdb", "\ufffd"]


def test_nul_survives_the_log() -> None:
    event = BY_TYPE["step.generated"]
    turns = (Turn(role="user", text="a\x00b"),)
    written = event.model_copy(update={"turns": turns})

    raw = encode(ENVELOPE, written)

    assert b"\x00" not in raw
    assert decode(raw)[1] == written


def test_no_error_repeats_the_text_it_could_not_read() -> None:
    with pytest.raises(Undecodable) as caught:
        decode(changed(event__turns="sk-secret-canary"))
    assert "canary" not in str(caught.value)
