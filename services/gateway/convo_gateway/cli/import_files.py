"""`convo import`: files of conversations that were made elsewhere, and runs that clean them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated

import typer

from convo_gateway.cli.client import Document, Gateway, read_as
from convo_gateway.cli.estimate_text import print_estimate
from convo_gateway.cli.exits import CommandError, Exit
from convo_gateway.cli.import_sending import Brought, bring_in
from convo_gateway.cli.import_sources import Source, find_sources
from convo_gateway.cli.import_text import counted, print_brought
from convo_gateway.cli.options import (
    GatewayOption,
    HomeOption,
    JsonOption,
    YesOption,
    with_gateway,
)
from convo_gateway.cli.render import number, print_document, say
from convo_gateway.cli.start import Wish, agreed_to, begin_run, post_estimate, print_started
from convo_gateway.shapes.catalog import CatalogEntry
from convo_gateway.shapes.start import EstimateAnswer
from convo_gateway.stack.home import DEFAULT_HOME

__all__ = ["import_files"]


@dataclass(slots=True)
class _Done:
    """What came of the command so far."""

    imports: list[Brought] = field(default_factory=list)
    estimates: list[Document] = field(default_factory=list)
    runs: list[Document] = field(default_factory=list)

    def document(self) -> Document:
        """All of it for scripts."""
        return {
            "imports": [brought.document() for brought in self.imports],
            "estimates": list(self.estimates),
            "runs": list(self.runs),
        }


@dataclass(frozen=True, slots=True)
class _Cleaning:
    """The runs that are wanted over what was brought in."""

    config: str
    target: int | None
    start: bool
    yes: bool


def import_files(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE",
            help="JSON lines, a JSON array or Parquet, also with gzip or zstd; a folder for its files; - for standard"
            " input.",
        ),
    ],
    name: Annotated[
        str | None, typer.Option("--name", help="Name of one file in lists. [default: its own]")
    ] = None,
    config: Annotated[
        str | None,
        typer.Option(
            "--config",
            help="Run config of mode import; shows what a run over each file would cost.",
        ),
    ] = None,
    start: Annotated[
        bool, typer.Option("--start", help="With --config: start a run over each file.")
    ] = False,
    target: Annotated[
        int | None,
        typer.Option("--target", min=1, help="Most conversations a run takes. [default: config's]"),
    ] = None,
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="Go on without the rows that were refused.")
    ] = False,
    yes: YesOption = False,
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Bring in conversations that were made elsewhere; with --config and --start a run filters and judges them.

    Every row of a file is taken, or refused with its place and reason. Rows that were refused are exit code 1, and
    nothing is started, until --skip-bad is given; what was taken stays. The same bytes again are the same import. What
    was brought in: convo imports list, show, refused, delete.
    """
    if config is None and (start or target is not None):
        raise CommandError(
            "--start and --target are for runs of a config; name it with --config.", Exit.USAGE
        )
    sources, left_out = find_sources(files, name)
    for path in left_out:
        say(f"Left out: {path}")
    cleaning = None if config is None else _Cleaning(config, target, start, yes)
    done = _Done()

    async def work(api: Gateway) -> None:
        if cleaning:
            await _see_that_it_cleans(api, cleaning.config)
        await _bring_all(api, sources, done, as_json=as_json)
        _see_that_all_is_good(done.imports, cleaning, skip_bad=skip_bad)
        if cleaning:
            await _clean(api, cleaning, done, as_json=as_json)
        else:
            say(f"Clean it by a run: {_how_to_clean(done.imports, None)}")

    try:
        with_gateway(gateway, home, work)
    finally:
        if as_json and done.imports:
            print_document(done.document())


async def _see_that_it_cleans(api: Gateway, config: str) -> None:
    """Refuse a config that is none of mode import before a large file is sent.

    Raises:
        CommandError: it is none, or there is no such config.
    """
    try:
        entry = read_as(CatalogEntry, await api.get(f"run-configs/{config}"))
    except CommandError as error:
        if error.code is Exit.NOT_FOUND:
            error.advice = "See what there is: convo catalog list run-configs"
        raise
    mode = (entry.body or {}).get("mode")
    if mode != "import":
        raise CommandError(
            f"Run config {config} is of mode {mode}: it makes conversations itself and reads no import.",
            Exit.USAGE,
            advice="Name a config of mode import; nothing was sent.",
        )


async def _bring_all(
    api: Gateway, sources: Sequence[Source], done: _Done, *, as_json: bool
) -> None:
    for source in sources:
        brought = await bring_in(api, source)
        done.imports.append(brought)
        if not as_json:
            print_brought(brought)


def _see_that_all_is_good(
    imports: Sequence[Brought], cleaning: _Cleaning | None, *, skip_bad: bool
) -> None:
    """Refuse to go on where a file is broken, or rows were refused and that is not agreed to.

    Raises:
        CommandError: so it is.
    """
    nothing = " Nothing was started." if cleaning and cleaning.start else ""
    with_others = _how_to_clean(imports, cleaning)
    broken = [one for one in imports if one.shown.status == "broken"]
    if broken:
        raise CommandError(
            f"{counted(len(broken), 'file')} of {number(len(imports))} cannot be used.{nothing}",
            Exit.FAILURES,
            advice=f"To go on with what was taken: {with_others}" if with_others else "",
        )
    refused = sum(one.shown.refused for one in imports)
    if refused and not skip_bad:
        rows = sum(one.shown.read for one in imports)
        raise CommandError(
            f"{number(refused)} of {counted(rows, 'row')} were refused; what was taken stays.{nothing}",
            Exit.FAILURES,
            advice=f"To go on without them, the same command with --skip-bad; or: {with_others}",
        )


async def _clean(api: Gateway, cleaning: _Cleaning, done: _Done, *, as_json: bool) -> None:
    """Show what runs over the imports cost, and start them all once all are agreed to."""
    wishes = [_wish(cleaning, brought) for brought in _each_once(done.imports)]
    agreed: list[int | None] = []
    for wish in wishes:
        document = await post_estimate(api, wish)
        done.estimates.append(document)
        answer = read_as(EstimateAnswer, document)
        if not as_json:
            print_estimate(answer)
        if cleaning.start:
            agreed.append(agreed_to(answer, yes=cleaning.yes))
    if not cleaning.start:
        say(f"Start it: {_how_to_clean(done.imports, cleaning)}")
        return
    for wish, confirmed_micro in zip(wishes, agreed, strict=True):
        run = await begin_run(api, wish, confirmed_micro)
        done.runs.append(run)
        if not as_json:
            print_started(run)


def _wish(cleaning: _Cleaning, brought: Brought) -> Wish:
    most = None if cleaning.target is None else min(cleaning.target, brought.shown.taken)
    return Wish(cleaning.config, count=most, import_source=brought.shown.id)


def _each_once(imports: Sequence[Brought]) -> list[Brought]:
    """Imports that can be used; two files with the same bytes are one."""
    return list({one.shown.id: one for one in imports if one.shown.status == "ready"}.values())


def _how_to_clean(imports: Sequence[Brought], cleaning: _Cleaning | None) -> str:
    """The command that starts a run over what was taken; empty where nothing was."""
    config = "CONFIG" if cleaning is None else cleaning.config
    usable = _each_once(imports)
    if not usable:
        return ""
    if len(usable) > 1:
        return f"convo run start {config} --import ID, for each id above"
    most = None if cleaning is None else _wish(cleaning, usable[0]).count
    count = "" if most is None else f" --count {most}"
    return f"convo run start {config} --import {usable[0].shown.id}{count}"
