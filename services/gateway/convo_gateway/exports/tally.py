"""Counts of what an export holds, folded row by row, when it is made and when it is verified. Pure."""

from collections import Counter
from collections.abc import Mapping

from convo_gateway.shapes.export_manifest import ExportCounts


class Tally:
    """Counts in the making."""

    def __init__(self) -> None:
        """Nothing is counted yet."""
        self._sums: Counter[str] = Counter()
        self._groups: dict[str, Counter[str]] = {
            name: Counter()
            for name in ("splits", "statuses", "reasons", "layers", "runs", "reviews")
        }

    def add(self, *conversations: Mapping[str, object]) -> None:
        """Count a row by what stands beside its one conversation, or its two."""
        self._sums["rows"] += 1
        self._groups["splits"][str(conversations[0]["split"])] += 1
        for metadata in conversations:
            self._sums["conversations"] += 1
            for name in ("turns", "words", "cost_micro", "unknown_calls", "edited"):
                self._sums[name] += _whole(metadata[name])
            for name, group in _GROUPED.items():
                value = metadata[name]
                if value is not None and value != "":
                    self._groups[group][str(value)] += 1

    def counts(self) -> ExportCounts:
        """What was counted; groups in the order of their names."""
        groups = {name: dict(sorted(group.items())) for name, group in self._groups.items()}
        return ExportCounts.model_validate(dict(self._sums) | groups)


_GROUPED = {
    "status": "statuses",
    "reason": "reasons",
    "layer": "layers",
    "run": "runs",
    "review": "reviews",
}


def _whole(value: object) -> int:
    """A count as a row has it; text is what a table of text has."""
    if value in ("true", "false"):
        return int(value == "true")
    return int(str(value or 0)) if not isinstance(value, int) else int(value)
