"""`convo run replay`: a run's verdicts with other settings, without a model call; kept under a name where wanted."""

import asyncio
import json
import uuid
from typing import Annotated
from urllib.parse import quote

import typer
from pydantic import JsonValue

from convo_gateway.cli.client import Document, Gateway, read_as
from convo_gateway.cli.exits import CommandError, Exit
from convo_gateway.cli.options import (
    GatewayOption,
    HomeOption,
    JsonOption,
    YesOption,
    ask,
    with_gateway,
)
from convo_gateway.cli.render import number, print_document, print_table, print_text, say
from convo_gateway.shapes.replays import FlipPage, Replay, VerdictSet, VerdictSets
from convo_gateway.stack.home import DEFAULT_HOME

__all__ = [
    "delete_verdict_set",
    "lists_of",
    "print_replay",
    "replay",
    "rules_of",
    "verdict_sets",
]

POLL_S = 0.2
_OFF = ("off", "none")


def replay(
    run: Annotated[str, typer.Argument(metavar="ID", help="Id of the run.")],
    config: Annotated[
        str | None, typer.Option(metavar="NAME", help="As this run config stands today.")
    ] = None,
    threshold: Annotated[
        str | None, typer.Option(metavar="SCORE", help="Of the judge; off for no judge.")
    ] = None,
    rule: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE=on|off|RULE.PARAMETER=VALUE",
            help="A rule on, off, or with another parameter; may be repeated.",
        ),
    ] = None,
    filter_list: Annotated[
        list[str] | None,
        typer.Option(
            "--list",
            metavar="NAME=latest|out",
            help="A filter list as it stands today, or left out.",
        ),
    ] = None,
    add: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LIST=PHRASE", help="A phrase more in a filter list; may be repeated."
        ),
    ] = None,
    near_duplicate: Annotated[
        str | None,
        typer.Option(metavar="LIMIT", help="Similarity above which is too near, or off."),
    ] = None,
    example_copy: Annotated[
        str | None, typer.Option(metavar="LIMIT", help="Share of an example, or off.")
    ] = None,
    keep: Annotated[
        str | None, typer.Option(metavar="NAME", help="Keep the result as this verdict set.")
    ] = None,
    show: Annotated[int, typer.Option(min=0, max=1_000, help="Most flips to print.")] = 20,
    timeout: Annotated[float, typer.Option(min=1, help="Seconds to wait for the result.")] = 600,
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Show which conversations of a finished, cancelled or paused run flip with other settings. Calls no model."""
    changes: Document = {"config": config} if config else {}
    limits = {
        "threshold": threshold,
        "near_duplicate": near_duplicate,
        "example_copy": example_copy,
    }
    changes |= {name: _limit(name, text) for name, text in limits.items() if text is not None}
    if rule:
        changes["rules"] = rules_of(rule)
    if filter_list or add:
        changes["filter_lists"] = lists_of(filter_list or [], add or [])

    async def work(api: Gateway) -> tuple[Document, Document, Document | None]:
        done = await _done(api, run, changes, timeout)
        path = f"runs/{run}/replays/{done['id']}"
        kept = (
            await api.post(f"{path}/keep", {"name": keep}, key=uuid.uuid4().hex) if keep else None
        )
        flips = (
            await api.get(f"{path}/flips", limit=show) if show and not as_json else {"items": []}
        )
        return done, flips, kept

    done, flips, kept = with_gateway(gateway, home, work)
    if as_json:
        print_document(done | {"verdict_set": kept["name"] if kept else None})
        return
    print_replay(read_as(Replay, done), FlipPage.model_validate({"next_cursor": None} | flips))
    if kept:
        print_text(f"\nKept as verdict set {read_as(VerdictSet, kept).name}")


def verdict_sets(
    run: Annotated[str, typer.Argument(metavar="ID", help="Id of the run.")],
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """List the verdict sets that were kept beside a run's own record."""
    document = with_gateway(gateway, home, lambda api: api.get(f"runs/{run}/verdict-sets"))
    if as_json:
        print_document(document)
        return
    rows = [
        [
            one.name,
            number(one.result.after.accepted),
            number(one.result.population.value),
            number(one.result.flipped),
            one.created_at.isoformat(sep=" ", timespec="minutes"),
        ]
        for one in read_as(VerdictSets, document).items
    ]
    columns = ("Name", "Accepted", "Of", "Flips", "Made")
    print_table(columns, rows, numbers=("Accepted", "Of", "Flips"))


def delete_verdict_set(
    run: Annotated[str, typer.Argument(metavar="ID", help="Id of the run.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the verdict set.")],
    yes: YesOption = False,
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Delete a verdict set. The run's own record and exports made with the set stay. Asks first."""
    if not yes:
        refusal = CommandError(
            f"Deleting verdict set {name} needs to be confirmed.",
            Exit.CONFLICT,
            advice="Pass --yes.",
        )
        ask(f"Delete verdict set {name} of run {run}? The run's own record stays.", refusal=refusal)
    path = f"runs/{run}/verdict-sets/{quote(name, safe='')}"
    with_gateway(gateway, home, lambda api: api.delete(path))
    if as_json:
        print_document({"run": run, "name": name, "deleted": True})
    else:
        print_text(f"Verdict set {name} is deleted")


async def _done(api: Gateway, run: str, changes: Document, timeout_s: float) -> Document:
    """The replay, when it is done.

    Raises:
        CommandError: it failed, or took too long.
    """
    made = await api.post(f"runs/{run}/replays", changes, key=uuid.uuid4().hex)
    path = f"runs/{run}/replays/{made['id']}"
    try:
        async with asyncio.timeout(timeout_s):
            while made["state"] in ("waiting", "running"):
                await asyncio.sleep(POLL_S)
                made = await api.get(path)
    except TimeoutError:
        message = f"The replay {made['id']} is not done in {timeout_s:g} s; it goes on."
        raise CommandError(message, Exit.TIMED_OUT) from None
    if made["state"] == "failed":
        raise CommandError(f"The replay failed: {made['problem']}", Exit.FAILURES)
    return made


def rules_of(texts: list[str]) -> dict[str, JsonValue]:
    """Rules as the API takes them, from ``rule=on``, ``rule=off`` and ``rule.parameter=value``.

    Raises:
        CommandError: one is written otherwise.
    """
    rules: dict[str, dict[str, JsonValue]] = {}
    for text in texts:
        place, sign, value = text.partition("=")
        name, dot, parameter = place.partition(".")
        if not (name and sign and (parameter or not dot)) or (
            not dot and value not in ("on", "off")
        ):
            message = f"{text!r} is no change of a rule."
            advice = "Write RULE=on, RULE=off or RULE.PARAMETER=VALUE."
            raise CommandError(message, Exit.USAGE, advice=advice)
        change = rules.setdefault(name, {"enabled": True})
        if dot:
            parameters = change.setdefault("parameters", {})
            assert isinstance(parameters, dict)
            parameters[parameter] = _value(value)
        else:
            change["enabled"] = value == "on"
    return dict(rules)


def lists_of(choices: list[str], added: list[str]) -> dict[str, JsonValue]:
    """Filter lists as the API takes them, from ``list=latest``, ``list=out`` and phrases ``list=phrase``.

    Raises:
        CommandError: one is written otherwise.
    """
    lists: dict[str, dict[str, JsonValue]] = {}
    for text in choices:
        name, _, choice = text.partition("=")
        if not name or choice not in ("latest", "out"):
            message = f"{text!r} is no change of a filter list."
            raise CommandError(message, Exit.USAGE, advice="Write NAME=latest or NAME=out.")
        lists[name] = {"latest": True} if choice == "latest" else {"left_out": True}
    for text in added:
        name, sign, phrase = text.partition("=")
        if not (name and sign and phrase.strip()):
            message = f"{text!r} names no list and phrase."
            raise CommandError(message, Exit.USAGE, advice="Write LIST=PHRASE.")
        phrases = lists.setdefault(name, {}).setdefault("add", [])
        assert isinstance(phrases, list)
        phrases.append(phrase.strip())
    return dict(lists)


def _value(text: str) -> JsonValue:
    """A number, truth, null or list where it reads as one; else the text itself."""
    try:
        value: JsonValue = json.loads(text)
    except ValueError:
        return {"on": True, "off": False}.get(text, text)
    return value


def _limit(name: str, text: str) -> float | None:
    if text in _OFF:
        return None
    try:
        return float(text)
    except ValueError:
        option = name.replace("_", "-")
        message = f"--{option} {text!r} is no number."
        raise CommandError(message, Exit.USAGE, advice="Give a number, or off.") from None


def print_replay(done: Replay, page: FlipPage) -> None:
    """A replay that is done, on standard output, with the first conversations that flip."""
    result = done.result
    assert result is not None
    print_text(
        f"{number(result.flipped)} of {number(result.population.value)} conversations of run {done.run} flip"
    )
    before, after = result.before, result.after
    rows = [
        [name.replace("unjudged", "would be judged"), number(was), number(now), f"{now - was:+,}"]
        for (name, was), now in zip(
            before.model_dump().items(), after.model_dump().values(), strict=True
        )
        if was or now
    ]
    rows += [
        [f"  {one.reason}", number(one.before), number(one.after), f"{one.after - one.before:+,}"]
        for one in result.reasons
    ]
    print_table(("", "Record", "Now", "Change"), rows, numbers=("Record", "Now", "Change"))
    for note in done.notes:
        say(note)
    if page.items:
        print_text()
        flips = [
            [
                flip.conversation,
                _ending(flip.was_status, flip.was_reason),
                _ending(flip.status, flip.reason),
            ]
            for flip in page.items
        ]
        print_table(("Conversation", "Record", "Now"), flips)
        if result.flipped > len(page.items):
            say(f"{number(result.flipped - len(page.items))} more; take --show, or the API.")


def _ending(status: str, reason: str) -> str:
    word = "would be judged" if status == "unjudged" else status
    return f"{word}: {reason}" if reason else word
