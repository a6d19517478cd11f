from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convo_models.backends.errors import BackendError, ErrorKind
from convo_models.backends.openai_stream import MOST_EVENT_BYTES, EventStream

STREAM = (
    b": keep-alive\r\n\r\n"
    b'data: {"a":1}\r\n\r\n'
    b"event: message\rid: 7\rdata:two\rdata: lines\r\r"
    b":\n\n"
    b"retry: 10\n\n"
    b'data: {"\xc3\xa9":2}\n\n'
    b"data: [DONE]\n\n"
    b"data: cut off"
)
PAYLOADS = [b'{"a":1}', b"two\nlines", b'{"\xc3\xa9":2}', b"[DONE]"]


@given(st.lists(st.integers(0, len(STREAM)), max_size=12))
def test_events_are_the_same_wherever_the_bytes_are_cut(cuts: list[int]) -> None:
    events = EventStream()
    places = [0, *sorted(cuts), len(STREAM)]
    pieces = [STREAM[start:end] for start, end in pairwise(places)]
    assert [payload for piece in pieces for payload in events.feed(piece)] == PAYLOADS


def test_events_come_whole_from_single_bytes() -> None:
    events = EventStream()
    found = [payload for byte in STREAM for payload in events.feed(bytes([byte]))]
    assert found == PAYLOADS


@pytest.mark.parametrize("line", [b"x" * 65_536, b"data: x\n" * 8_192])
def test_an_event_without_end_is_cut(line: bytes) -> None:
    events = EventStream()
    pieces = [line] * (MOST_EVENT_BYTES // 16_384 + 2)
    with pytest.raises(BackendError) as caught:
        [payload for piece in pieces for payload in events.feed(piece)]
    assert caught.value.kind is ErrorKind.too_large
