"""`convo config preview`: what a seed draws, and every prompt of a conversation, before anything is called."""

from collections.abc import Callable
from functools import partial
from itertools import groupby
from typing import Annotated

import typer

from convo_gateway.cli.client import Document, read_as
from convo_gateway.cli.options import GatewayOption, HomeOption, JsonOption, with_gateway
from convo_gateway.cli.render import (
    number,
    percent,
    plural,
    print_document,
    print_fields,
    print_table,
    print_text,
    say,
)
from convo_gateway.shapes.preview import (
    PlannedConversation,
    PlannedShare,
    Preview,
    PreviewedPrompt,
    PreviewedPrompts,
)
from convo_gateway.stack.home import DEFAULT_HOME

__all__ = ["preview"]

_BAR = 24
"""Characters of a bar for all of the conversations."""
_MOST_VALUES = 12
"""Values of a dimension that are shown; --json has more."""


def preview(
    config: Annotated[str, typer.Argument(metavar="CONFIG", help="Name of a run config.")],
    version: Annotated[
        int | None, typer.Option("--version", min=1, help="Of the config. [default: the latest]")
    ] = None,
    count: Annotated[
        int | None, typer.Option("--count", min=1, help="Instead of the config's target count.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, help="Instead of the config's seed.")
    ] = None,
    offset: Annotated[int, typer.Option("--offset", min=0, help="First conversation shown.")] = 0,
    limit: Annotated[int, typer.Option("--limit", min=1, max=100, help="How many.")] = 20,
    index: Annotated[
        int | None, typer.Option("--index", min=0, help="Only this conversation.")
    ] = None,
    prompts: Annotated[
        bool,
        typer.Option("--prompts", help="Its prompts, rendered (the first one's, without --index)."),
    ] = False,
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Show what a run would draw: persona, voice, pools and length of each conversation. Nothing is called or started.

    The shares are those of the whole plan beside what the mix asks for.
    """
    wanted = {"config": config, "version": version, "target_count": count, "seed": seed}
    body: Document = {name: value for name, value in wanted.items() if value is not None}
    if prompts:
        body["index"] = offset if index is None else index
        path = "run-configs/preview/prompts"
    else:
        body |= {"offset": offset, "limit": limit} | ({} if index is None else {"index": index})
        path = "run-configs/preview"
    document = with_gateway(gateway, home, lambda api: api.post(path, body))
    if as_json:
        print_document(document)
    elif prompts:
        _print_prompts(read_as(PreviewedPrompts, document))
    else:
        _print_plan(read_as(Preview, document))


def _print_plan(found: Preview) -> None:
    version = "" if found.config_version is None else f" version {found.config_version}"
    print_text(
        f"{found.config}{version}, seed {found.seed}: {plural(found.population, 'conversation')} "
        f"in {plural(found.threads, 'thread')}"
    )
    print_text()
    _print_window(found)
    for name, shares in groupby(found.shares, key=lambda share: share.dimension):
        print_text()
        _print_shares(name, list(shares), found)
    print_text()
    _print_lengths(found)
    print_text()
    _print_collisions(found)
    for problem in found.warnings:
        say(f"Warning: {problem}")


def _print_window(found: Preview) -> None:
    if not found.window:
        print_text(f"The plan ends at {found.population - 1}.")
        return
    named = {dimension.dimension for dimension in found.dimensions}
    columns: dict[str, Callable[[PlannedConversation], str]] = {
        "Index": lambda one: str(one.index),
        "Thread": lambda one: str(one.thread),
    }
    if found.mode == "sessions":
        columns["Visit"] = lambda one: str(one.visit)
    columns |= {"Persona": lambda one: one.persona, "Voice": lambda one: one.voice}
    for pool in found.window[0].pools:
        columns[pool] = partial(_drawn, pool)
    columns["Turns"] = lambda one: str(one.turns)
    if "roughen" in named:
        columns["Rough"] = lambda one: "yes" if one.roughen else ""
    rows = [[cell(one) for cell in columns.values()] for one in found.window]
    print_table(list(columns), rows, numbers=("Index", "Thread", "Visit", "Turns"))


def _drawn(pool: str, one: PlannedConversation) -> str:
    return _short(one.pools[pool])


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= 40 else f"{plain[:39]}…"


def _print_shares(name: str, shares: list[PlannedShare], found: Preview) -> None:
    described = next(d for d in found.dimensions if d.dimension == name)
    exact = "" if described.exact else ", about"
    counts = sorted({share.count for share in shares})
    if len(shares) > _MOST_VALUES and len({share.weight for share in shares}) == 1:
        each = " to ".join(number(count) for count in dict.fromkeys((counts[0], counts[-1])))
        print_text(f"{name} ({number(described.values)} values): {each} conversations each{exact}")
        return
    print_text(f"{name} ({number(described.values)} values{exact})")
    most = max(share.share for share in shares)
    rows = [
        [
            f"  {_short(share.value)}",
            "#" * max(1 if share.count else 0, round(_BAR * share.share / most)),
            number(share.count),
            percent(share.share, 1),
            f"of {percent(share.share_wanted, 1)}",
        ]
        for share in shares[:_MOST_VALUES]
    ]
    print_table(("  value", "", "count", "share", "wanted"), rows, numbers=("count", "share"))
    left = described.values - len(rows)
    if left:
        print_text(f"  and {number(left)} more")


def _print_lengths(found: Preview) -> None:
    print_text("turns")
    most = max(length.count for length in found.lengths)
    rows = [
        [
            str(length.turns),
            "#" * round(_BAR * length.count / most),
            f"{'' if length.exact else 'about '}{number(length.count)}",
        ]
        for length in found.lengths
    ]
    print_table(("turns", "", "count"), rows, numbers=("turns", "count"))


def _print_collisions(found: Preview) -> None:
    drawn = found.collisions
    print_text(
        f"{plural(drawn.distinct, 'distinct draw')} of persona, voice and pools for "
        f"{plural(drawn.conversations, 'conversation')}; about {number(drawn.expected)} repeat an earlier one"
    )
    for group in drawn.in_window:
        print_text(f"  same draw: {', '.join(map(str, group))}")


def _print_prompts(found: PreviewedPrompts) -> None:
    one = found.conversation
    print_fields(
        [
            ("Conversation", f"{one.index} (thread {one.thread}, number {one.number})"),
            ("Persona", one.persona),
            ("Voice", one.voice),
            *((pool, value) for pool, value in one.pools.items()),
            ("Turns", str(one.turns)),
            ("Calls", str(found.calls)),
        ]
    )
    for prompt in found.prompts:
        print_text()
        print_text(_heading(prompt))
        print_text(_without_segment(prompt, found) if prompt.text is None else prompt.text)
        print_text(f"-- beside it: {prompt.beside}, about {number(prompt.beside_tokens)} tokens")
    for problem in found.problems:
        place = f"segment {problem.segment}" + (f", line {problem.line}" if problem.line else "")
        say(f"Problem: {place}: {problem.message}")


def _without_segment(prompt: PreviewedPrompt, found: PreviewedPrompts) -> str:
    if prompt.compared_with or all(one.segment != prompt.segment for one in found.problems):
        return "(no segment of the prompt set)"
    return "(does not render)"


def _heading(prompt: PreviewedPrompt) -> str:
    if prompt.compared_with:
        return f"== {prompt.role}, comparison with {prompt.compared_with}, {prompt.calls} calls"
    turns = f", turns {', '.join(str(turn + 1) for turn in prompt.turns)}" if prompt.turns else ""
    size = "" if prompt.tokens is None else f", about {number(prompt.tokens)} tokens"
    calls = f", {number(prompt.calls)} calls" if prompt.role == "judge" and prompt.calls > 1 else ""
    return f"== {prompt.role}, segment {prompt.segment}{turns}{size}{calls}"
