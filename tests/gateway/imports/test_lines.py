"""Lines of a file, however it is cut into pieces and whatever its lines are."""

import json
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from convo_gateway.imports.lines import rows_of_lines
from convo_gateway.imports.row import Refused, Row, Taken

GOOD = json.dumps({"messages": [{"role": "user", "content": "Hi"}]}).encode()


def read(*chunks: bytes, most: int = 1_000) -> list[Row]:
    return list(rows_of_lines(chunks, most))


def shown(rows: list[Row]) -> list[tuple[int, str]]:
    return [(row.row, row.code if isinstance(row, Refused) else "taken") for row in rows]


def test_bom_crlf_blank_lines_and_a_missing_end() -> None:
    rows = read(b"\xef\xbb\xbf" + GOOD + b"\r\n\r\n  \n" + GOOD)
    assert shown(rows) == [(1, "taken"), (4, "taken")]


def test_what_is_no_line_of_json_is_refused_with_its_number() -> None:
    lone = b'{"messages": [{"role": "user", "content": "\\ud800"}]}'
    rows = read(b"\n".join([GOOD, b"{broken", b'{"a": \xff}', b"[" * 900, lone, b"NaN"]))
    assert shown(rows) == [
        (1, "taken"),
        (2, "not_json"),
        (3, "not_text"),
        (4, "not_json"),
        (5, "taken"),
        (6, "not_a_conversation"),
    ]
    assert isinstance(rows[4], Taken)
    assert rows[4].mended == 1


def test_a_line_that_is_too_long_is_read_over_and_costs_no_memory() -> None:
    held = 0

    def source() -> Iterator[bytes]:
        nonlocal held
        for _ in range(200):
            held += 1
            yield b"x" * 100
        yield b"\n" + GOOD + b"\n"

    rows = list(rows_of_lines(source(), 1_000))
    assert shown(rows) == [(1, "too_long"), (2, "taken")]
    assert held == 200


@given(st.lists(st.integers(1, 60), max_size=20))
def test_how_a_file_is_cut_into_pieces_does_not_matter(cuts: list[int]) -> None:
    whole = GOOD + b"\n" + b"{\n" + GOOD
    pieces, at = [], 0
    for cut in cuts:
        pieces.append(whole[at : at + cut])
        at += cut
    rows = read(*pieces, whole[at:])
    assert shown(rows) == [(1, "taken"), (2, "not_json"), (3, "taken")]
