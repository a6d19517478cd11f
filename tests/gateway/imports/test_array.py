"""Arrays of JSON, however they are cut into pieces and wherever they break."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convo_gateway.imports.array import ArrayError, rows_of_array
from convo_gateway.imports.record import read_record
from convo_gateway.imports.row import Refused, Row, Taken

RECORDS = [
    {"messages": [{"role": "user", "content": "a \ud83d \U0001f600 \0 [,] \\ \" 'ü'"}]},
    {"conversations": [{"from": "human", "value": "日本語 " * 40}]},
    12345678901,
    None,
    [],
    {"messages": [{"role": "user", "content": "b", "n": 1.5e300}]},
]
FILE = b"\xef\xbb\xbf \n" + json.dumps(RECORDS, indent=2).encode() + b"\n "
EXPECTED = [read_record(number, record) for number, record in enumerate(RECORDS, 1)]


def rows(*pieces: bytes, most: int = 1_000) -> list[Row]:
    return list(rows_of_array(pieces, most))


@given(st.sets(st.integers(1, len(FILE) - 1), max_size=60))
def test_how_a_file_is_cut_into_pieces_does_not_matter(cuts: set[int]) -> None:
    ends = [*sorted(cuts), len(FILE)]
    pieces = [FILE[a:b] for a, b in zip([0, *ends], ends, strict=False)]
    assert rows(*pieces) == EXPECTED


def test_half_a_surrogate_pair_is_marked_and_counted_like_in_a_line() -> None:
    first = rows(FILE)[0]
    assert isinstance(first, Taken)
    assert first.turns[0].text.startswith("a \ufffd \U0001f600 \ufffd [,]")
    assert first.mended == 2


def test_bytes_that_are_no_text_cost_their_item_alone() -> None:
    good = b'{"messages": [{"role": "user", "content": "x"}]}'
    found = rows(b"[" + good + b', {"a": "\xff"}, ' + good + b"]")
    assert [type(row) for row in found] == [Taken, Refused, Taken]
    assert isinstance(found[1], Refused)
    assert (found[1].row, found[1].code) == (2, "not_text")


@pytest.mark.parametrize("empty", [b"[]", b" [ ] ", b"[\n]\n"])
def test_an_empty_array_has_no_rows(empty: bytes) -> None:
    assert rows(empty) == []


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        (b"[1, 2", 'the file ends where "]" was expected'),
        (b"[1, 2,", "Expecting value"),
        (b"[1 2]", "'2' stands where"),
        (b"[1, 2] 3", "behind the end"),
        (b'[{"a": "b', "Unterminated string"),
        (b"[{a: 1}]", "Expecting property name"),
        (b'["' + b"x" * 3_000 + b'"', "longer than 1,000 characters"),
        (b"[" * 200_000, "nested too deeply"),
        (b"[" + b"9" * 900 + b"x]", "'x' stands where"),
    ],
)
def test_an_array_that_cannot_be_read_on_says_why(broken: bytes, says: str) -> None:
    with pytest.raises(ArrayError, match=says.replace("[", r"\[")):
        rows(*(broken[at : at + 100] for at in range(0, len(broken), 100)), most=1_000)
