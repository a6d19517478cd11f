"""The table in ``docs/rules.md``, from the rules themselves: ``python -m tests.filters.rule_page`` writes it anew."""

import re
import sys
from pathlib import Path

from convo_filters.rules_catalog import Rule, rules

PAGE = Path(__file__).parents[2] / "docs" / "rules.md"
_TABLE = re.compile(r"(<!-- rules -->\n)(?:\|.*\n)*")


def written(page: str) -> str:
    """The page with the table as the rules are now."""
    rows = ["| | reason | rejects | parameters |", "|---|---|---|---|", *map(_row, rules())]
    return _TABLE.sub(lambda found: found[1] + "\n".join(rows) + "\n", page)


def _row(rule: Rule) -> str:
    defaults = rule.parameters()
    parameters = "<br>".join(
        f"`{name}` ({getattr(defaults, name)}): {_line(field.description or '')}"
        for name, field in rule.parameters.model_fields.items()
    )
    return f"| {rule.precedence} | `{rule.reason}` | {_line(rule.description)} | {parameters} |"


def _line(text: str) -> str:
    return (
        " ".join(text.split())
        .replace("``", "`")
        .replace("|", "\\|")
        .replace("<", "&lt;")
        .replace("*", "\\*")
    )


def main() -> int:
    """Write the page; exit code 0."""
    PAGE.write_text(written(PAGE.read_text()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
