"""What stands beside the turns of an exported conversation: one list of columns for every format. Pure.

Where conversations were brought in there are some more, in every row: exports without any have the same bytes as before
there were imports.
"""

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "text", "whole", "number", "flag", "time", "hit", "hits", "scores", "reviews", "names"
]


@dataclass(frozen=True, slots=True)
class Column:
    """One value of every row; unknown is null, never 0 or an empty text that means something else."""

    name: str
    kind: Kind
    meaning: str


COLUMNS: tuple[Column, ...] = (
    Column("conversation", "text", "id of the conversation"),
    Column("run", "text", "id of its run"),
    Column("run_name", "text", "name of its run"),
    Column("config", "text", "run config by name"),
    Column("config_version", "whole", "version of the config"),
    Column("config_hash", "text", "SHA-256 of the frozen config; null where it is not kept"),
    Column("snapshot", "text", "SHA-256 of everything that the run froze"),
    Column("mode", "text", "mode of the run"),
    Column("seed", "whole", "seed of the run"),
    Column("thread", "whole", "thread inside the run, from 0"),
    Column("number", "whole", "number inside the thread, from 0"),
    Column("seed_group", "text", "what it shares with its near siblings; splits keep it together"),
    Column("split", "text", "split that it is in"),
    Column("persona", "text", "persona that was drawn"),
    Column("voice", "text", "voice that was drawn"),
    Column("language", "text", "language that the config asks for"),
    Column("assistant_model", "text", "model of the assistant side, backend/model"),
    Column("user_model", "text", "model of the user side"),
    Column("roughen_model", "text", "model that roughened"),
    Column("judge_model", "text", "model that judged"),
    Column("planned_turns", "whole", "turns that the plan asked for"),
    Column("turns", "whole", "turns that it has"),
    Column("words", "whole", "words in all turns"),
    Column("roughened", "whole", "user turns with a roughened text"),
    Column(
        "verdict_set",
        "text",
        "verdict set that the verdict here is of; empty: the run's own record",
    ),
    Column(
        "status",
        "text",
        "accepted, rejected, failed, cancelled or open; in a verdict set also unjudged",
    ),
    Column("reason", "text", "recorded reason; empty where there is none"),
    Column("layer", "whole", "layer of the reason, 0 to 3"),
    Column("hit", "hit", "what the filters found and recorded"),
    Column("also", "hits", "what else the filters found"),
    Column("score", "number", "score of the judge"),
    Column("criteria", "scores", "what the judge said of each criterion"),
    Column("cost_micro", "whole", "known cost of its calls, in micro-dollars"),
    Column("unknown_calls", "whole", "calls whose cost nobody knows"),
    Column("review", "text", "what people decided last; empty where nobody did"),
    Column("edited", "flag", "whether a person changed a turn"),
    Column("text_is_edited", "flag", "whether the turns here are the edited ones"),
    Column("reviews", "reviews", "every review, oldest first"),
    Column("created_at", "time", "when it was begun"),
    Column("settled_at", "time", "when it got its verdict"),
)
"""In the order in which they are written."""

WITH_ORIGIN: tuple[Column, ...] = (
    *COLUMNS,
    Column(
        "import_source", "text", "id of the import that it was brought in with; null: made here"
    ),
    Column("import_row", "whole", "row of the imported file that it was, from 1"),
    Column("import_left_out", "names", "fields of that row that were too much to keep"),
    Column("metadata", "text", "the other fields of that row, without the system message, as JSON"),
)
"""Columns of an export of which something was brought in."""

HIT = ("reason", "layer", "turn", "excerpt", "detail", "neighbour", "similarity")
SCORE = ("name", "score", "why")
REVIEW = ("version", "reviewer", "decision", "reason", "note", "edited_turns", "at")
