"""Preference pairs of TRL: ``prompt``, ``chosen`` and ``rejected``, an accepted conversation against a sibling.

Siblings are conversations of the same snapshot and the same seed group (see ``seed_groups``), one accepted and one
rejected by the judge, that is for ``judge_below_threshold`` and nothing else. With ``shared_opening`` they also begin
with the same words of the user: then ``prompt`` is all that they have in common up to a user turn, which is what a
trainer of answers needs. With ``whole`` the prompt may be empty, and two whole conversations are compared.

Among siblings the best accepted one is paired with the worst rejected one, the second best with the second worst, and
so on; equal scores go by id. Each conversation is in one pair at most. What is left over is skipped, and said so.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import zip_longest
from pathlib import Path

import orjson

from convo_events import ids
from convo_gateway.exports.columns import COLUMNS, Column
from convo_gateway.exports.examples import Example, Message, Misfit, chat, json_line
from convo_gateway.exports.format import Metadata, lines_of, metadata_of
from convo_gateway.exports.writing import Lines
from convo_gateway.shapes.export_manifest import FileMade
from convo_gateway.shapes.export_wishes import ExportOptions

_SPOOL = ".siblings.sqlite"
_TABLE = """
create table sibling (
  family text not null, side integer not null, rank real not null, id text not null, body blob not null,
  primary key (family, side, rank, id)
) without rowid
"""
_JUDGED = "judge_below_threshold"


class Preference:
    """The format."""

    name = "preference"
    title = "TRL preference pairs, JSON lines"
    suffix = "jsonl"
    needs = ("accepted", "rejected")

    def sink(
        self, folder: Path, options: ExportOptions, columns: Sequence[Column] = COLUMNS
    ) -> "PreferenceSink":
        """A sink that finds the pairs when all siblings are there."""
        return PreferenceSink(folder, options)

    def rows(self, file: Path) -> Iterator[tuple[Metadata, ...]]:
        """The metadata of both sides of each pair."""
        for row in lines_of(file):
            both = metadata_of(row)
            yield metadata_of(both, "chosen"), metadata_of(both, "rejected")

    def features(self, columns: Sequence[Column] = COLUMNS) -> list[dict[str, object]]:
        """None: lines of JSON carry no types."""
        return []


class PreferenceSink:
    """Keeps siblings on disk, sorted, until the last one has come."""

    def __init__(self, folder: Path, options: ExportOptions) -> None:
        """Begin the files, and a scratch file beside them."""
        self._files = {
            split: Lines(folder, f"data/{split}.jsonl", zstd=options.zstd)
            for split in options.splits
        }
        self._whole = options.pairs == "whole"
        self._spool = folder / _SPOOL
        # One thread at a time writes, though not always the same one.
        self._siblings = sqlite3.connect(self._spool, check_same_thread=False)
        self._siblings.executescript("pragma journal_mode = off; pragma synchronous = off")
        self._siblings.execute(_TABLE)

    @property
    def size(self) -> int:
        """Bytes on disk so far, scratch file included."""
        return sum(file.size for file in self._files.values()) + self._spool.stat().st_size

    def write(self, example: Example) -> Misfit | None:
        """Keep one side of a pair to come."""
        metadata = example.metadata
        accepted = metadata["status"] == "accepted"
        if not accepted and metadata["reason"] != _JUDGED:
            return Misfit("not_under_the_judge_threshold")
        if not example.turns:
            return Misfit("no_turns")
        opening = "" if self._whole else _opening(example)
        if opening is None:
            return Misfit("does_not_begin_with_the_user")
        parts = (str(metadata["snapshot"]), str(metadata["seed_group"]), opening)
        family = ids.digest("family", *parts, length=32)
        score = metadata["score"]
        rank = float(score) if isinstance(score, int | float) else 0.0
        body = json_line({"messages": chat(example.messages), "metadata": metadata})
        self._siblings.execute(
            "insert into sibling values (?, ?, ?, ?, ?)",
            (family, int(accepted), -rank if accepted else rank, metadata["conversation"], body),
        )
        return None

    def close(self, skip: Callable[[Example, Misfit], None]) -> list[FileMade]:
        """Write the pairs, and finish the files."""
        with closing(self._siblings):
            for (family,) in self._siblings.execute(
                "select distinct family from sibling order by family"
            ):
                accepted, rejected = self._side(family, 1), self._side(family, 0)
                for chosen, worse in zip_longest(accepted, rejected):
                    self._pair(chosen, worse, skip)
        self._spool.unlink()
        return [file.close("data", split) for split, file in self._files.items()]

    def _side(self, family: str, side: int) -> Iterator[Example]:
        found = self._siblings.execute(
            "select body from sibling where family = ? and side = ? order by rank, id",
            (family, side),
        )
        for (body,) in found:
            kept = orjson.loads(body)
            messages = tuple(Message(one["role"], one["content"]) for one in kept["messages"])
            yield Example(messages, kept["metadata"])

    def _pair(
        self,
        chosen: Example | None,
        rejected: Example | None,
        skip: Callable[[Example, Misfit], None],
    ) -> None:
        if chosen is None or rejected is None:
            alone = chosen or rejected
            assert alone is not None
            skip(alone, Misfit("no_sibling_left"))
            return
        shared = _shared(chosen, rejected)
        if len(shared) in (len(chosen.messages), len(rejected.messages)):
            skip(chosen, Misfit("one_begins_with_all_of_the_other"))
            skip(rejected, Misfit("one_begins_with_all_of_the_other"))
            return
        row = {
            "prompt": chat(shared),
            "chosen": chat(chosen.messages[len(shared) :]),
            "rejected": chat(rejected.messages[len(shared) :]),
            "metadata": {"chosen": chosen.metadata, "rejected": rejected.metadata},
        }
        self._files[chosen.split].write(json_line(row))


def _opening(example: Example) -> str | None:
    first = example.turns[0]
    return first.content if first.role == "user" else None


def _shared(one: Example, other: Example) -> tuple[Message, ...]:
    """The longest beginning that both have and that ends with a user turn."""
    most = 0
    for at, (mine, theirs) in enumerate(zip(one.messages, other.messages, strict=False), 1):
        if mine != theirs:
            break
        if mine.role == "user":
            most = at
    return one.messages[:most]


FORMAT = Preference()
