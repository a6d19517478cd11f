"""`convo export`: conversations of a run, a filter or a saved view as a data set in a folder that proves itself."""

import uuid
from pathlib import Path
from typing import Annotated

import typer
from pydantic import JsonValue, ValidationError

from convo_gateway.cli.client import Document, Gateway, read_as
from convo_gateway.cli.dataset_folder import bring
from convo_gateway.cli.dataset_progress import until_made
from convo_gateway.cli.exits import CommandError, Exit
from convo_gateway.cli.export import DEFAULT_FOLDER
from convo_gateway.cli.options import GatewayOption, HomeOption, JsonOption, with_gateway
from convo_gateway.cli.render import (
    number,
    plural,
    print_document,
    print_fields,
    print_text,
    say,
    usd,
)
from convo_gateway.shapes.conversation_filter import ConversationFilter
from convo_gateway.shapes.exports import ExportShown
from convo_gateway.stack.home import DEFAULT_HOME

__all__ = ["export"]


def export(
    run: Annotated[
        str | None, typer.Argument(metavar="[RUN]", help="Id of a run.", show_default=False)
    ] = None,
    filter_: Annotated[
        list[str] | None,
        typer.Option(
            "--filter",
            metavar="FIELD=VALUE",
            help="Instead of a run: what a filter of the corpus shows, such as persona=ada; may be repeated.",
        ),
    ] = None,
    view: Annotated[
        str | None, typer.Option(help="Instead of a run: what a saved view shows, by id or name.")
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(metavar="EXPORT", help="Instead of a run: an export that was begun before."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="New folder. [default: exports/EXPORT]")
    ] = None,
    replace: Annotated[
        bool,
        typer.Option(
            "--replace", help="Put it in place of an earlier export; your words in its card stay."
        ),
    ] = False,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            help="messages, sharegpt, prompt-completion, preference, parquet or csv.",
        ),
    ] = "messages",
    status: Annotated[
        list[str] | None,
        typer.Option(
            help="accepted, rejected, failed, cancelled or open; may be repeated. [default: accepted of a run, all of a"
            " filter]"
        ),
    ] = None,
    split: Annotated[
        str | None, typer.Option(help="Shares, such as train=0.9,test=0.1. [default: train=1]")
    ] = None,
    split_by: Annotated[
        str,
        typer.Option(help="What stays on one side: seed_group (near siblings) or conversation."),
    ] = "seed_group",
    split_seed: Annotated[int, typer.Option(min=0, help="Another number makes other splits.")] = 0,
    reviews: Annotated[
        str, typer.Option(help="all, not_flagged or approved, by what people decided.")
    ] = "all",
    text: Annotated[
        str, typer.Option(help="edited or original, of what people changed.")
    ] = "edited",
    pairs: Annotated[
        str, typer.Option(help="Preference pairs: shared_opening or whole.")
    ] = "shared_opening",
    verdict_set: Annotated[
        str | None, typer.Option(help="Verdicts of this set of the run count, by id or name.")
    ] = None,
    zstd: Annotated[bool, typer.Option("--zstd", help="Compress the data files.")] = False,
    bom: Annotated[bool, typer.Option("--bom", help="CSV for spreadsheets.")] = False,
    license_: Annotated[str, typer.Option("--license", help="Licence that the card names.")] = "",
    name: Annotated[str, typer.Option(help="What it is called.")] = "",
    timeout: Annotated[
        float | None, typer.Option(min=0, help="Seconds to wait at most; then exit code 6.")
    ] = None,
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Make a data set of conversations, wait for it, and bring it into a folder.

    It is made by the gateway, and goes on there when this command ends. `convo verify FOLDER` checks the folder.
    """
    options: Document = {
        "format": form,
        "splits": _shares(split) if split else {"train": 1.0},
        "split_by": split_by,
        "split_seed": split_seed,
        "reviews": reviews,
        "text": text,
        "pairs": pairs,
        "zstd": zstd,
        "bom": bom,
        "license": license_,
    }
    if status:
        options["statuses"] = list(status)
    source = _source(run, filter_, view, resume, verdict_set)

    async def work(api: Gateway) -> tuple[ExportShown, Path]:
        if resume is not None:
            export = resume
        else:
            wish: Document = {"name": name, "source": source, "options": options}
            begun = await api.post("exports", wish, key=uuid.uuid4().hex)
            export = read_as(ExportShown, begun).id
        made = await until_made(api, export, timeout_s=timeout)
        place = out or DEFAULT_FOLDER / export
        await bring(api, made, place, replace=replace)
        return made, place

    made, place = with_gateway(gateway, home, work)
    if as_json:
        print_document({"folder": str(place)} | made.model_dump(mode="json"))
    else:
        _print(made, place)


def _print(shown: ExportShown, place: Path) -> None:
    made = shown.made
    assert made is not None
    counts, coverage = made.counts, made.coverage
    print_text(
        f"{plural(counts.rows, 'row')}: {number(counts.conversations)} of {number(coverage.population.value)} "
        f"conversations of {coverage.population.scope}"
    )
    fields = [(f"split {name}", f"{plural(rows, 'row')}") for name, rows in counts.splits.items()]
    fields += [
        (f"missing: {one.why}", f"{number(one.count)} {one.code} {one.reason}".rstrip())
        for one in coverage.why
    ]
    unknown = (
        f", {number(made.cost.unknown_calls)} calls unknown" if made.cost.unknown_calls else ""
    )
    fields.append(("cost of the runs", usd(made.cost.known_micro) + unknown))
    fields.append(("folder", str(place)))
    print_fields(fields)
    empty = [name for name in shown.options.splits if not counts.splits.get(name)]
    if empty and counts.rows:
        say(
            f"Nothing is in {', '.join(empty)}: near siblings stay together, and there are few groups of them. "
            "--split-by conversation takes each conversation alone."
        )


def _source(
    run: str | None,
    filter_: list[str] | None,
    view: str | None,
    resume: str | None,
    verdict_set: str | None,
) -> Document:
    given = [one for one in (run, filter_, view, resume) if one]
    if len(given) != 1:
        raise CommandError("Name exactly one of a run, --filter, --view and --resume.", Exit.USAGE)
    source: Document = {}
    if run is not None:
        source["run"] = run
    if view is not None:
        source["view"] = view
    if filter_:
        source["filter"] = _filter(filter_)
    if verdict_set is not None:
        source["verdict_set"] = verdict_set
    return source


def _shares(text: str) -> Document:
    shares: Document = {}
    for part in text.split(","):
        name, _, share = part.partition("=")
        try:
            shares[name.strip()] = float(share)
        except ValueError:
            raise CommandError(
                f"{part!r} is no share; write --split train=0.9,test=0.1", Exit.USAGE
            ) from None
    return shares


def _filter(parts: list[str]) -> JsonValue:
    """What the filter of the corpus takes, from FIELD=VALUE.

    Raises:
        CommandError: a field is not known, or a value is none of it.
    """
    given: dict[str, list[str]] = {}
    for part in parts:
        name, _, value = part.partition("=")
        given.setdefault(name, []).append(value)
    known = ConversationFilter()
    values: dict[str, list[str] | str] = {
        name: value if isinstance(getattr(known, name, None), tuple) else value[-1]
        for name, value in given.items()
    }
    try:
        wanted = ConversationFilter.model_validate(values)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        fields = ", ".join(ConversationFilter.model_fields)
        raise CommandError(
            f"--filter {'/'.join(str(part) for part in first['loc'])}: {first['msg']}",
            Exit.USAGE,
            advice=f"Fields are {fields}.",
        ) from None
    found: JsonValue = wanted.model_dump(mode="json", exclude_defaults=True)
    return found
