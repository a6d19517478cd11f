"""A run in words, in reading order: what was requested, what happened, what it produced, what supports it."""

from datetime import datetime

from convo_events.snapshot import ImportSource
from convo_gateway.cli.judgements import avoided_text, compared_text, options_text
from convo_gateway.cli.paused import how_to_go_on
from convo_gateway.cli.render import (
    duration,
    number,
    percent,
    plural,
    print_fields,
    print_table,
    print_text,
    usd,
)
from convo_gateway.shapes.counts import CallCosts, Counted
from convo_gateway.shapes.runs import Happened, Produced, Reject, Rejects, Requested, Run

__all__ = ["cost_text", "counted", "print_rejects", "print_run"]

LAYERS = {0: "pipeline", 1: "mechanical", 2: "diversity", 3: "judge"}


def print_run(run: Run, rejects: Rejects, source: ImportSource | None = None) -> None:
    """The page of a run on standard output; with the import that it reads, where it reads one."""
    print_text(f"Run {run.id}  {run.name}")
    print_text("\nRequested")
    print_fields(_requested(run.requested, source))
    print_text("\nHappened")
    print_fields(_happened(run, run.happened))
    print_text("\nProduced")
    print_fields([*_produced(run.produced), *_reasons(rejects)])
    print_text("\nEvidence")
    print_fields(_evidence(run))


def print_rejects(rejects: Rejects) -> None:
    """Reasons in precedence order, then the last rejects."""
    print_text(f"Reject reasons: {counted(rejects.population)}")
    if rejects.reasons:
        columns = ("Layer", "", "Reason", "Count", "Counted under")
        print_table(columns, _reason_rows(rejects), numbers=("Count",))
    if rejects.last:
        print_text(f"\nLast {len(rejects.last)} rejects")
        rows = [[one.id, one.reason, one.persona, _found(one)] for one in rejects.last]
        print_table(("Conversation", "Reason", "Persona", "Found"), rows)


def _found(reject: Reject) -> str:
    """What spoke against a conversation: its neighbour, its words, or, where there are neither, why in words."""
    if reject.neighbour is not None:
        near = "" if reject.similarity is None else f" ({reject.similarity:.3f})"
        return f"like {reject.neighbour}{near}"
    if reject.excerpt:
        return reject.excerpt[:80]
    return reject.detail[:80] or ("" if reject.score is None else f"score {reject.score:g}")


def counted(count: Counted) -> str:
    """A number with its unit and population, such as ``7 of 10 conversations (this run)``."""
    of = "" if count.of is None else f" of {number(count.of)}"
    unit = count.unit.removesuffix("s") if count.value == 1 and not of else count.unit
    return f"{number(count.value)}{of} {unit} ({count.scope})"


def cost_text(cost: CallCosts) -> str:
    """Known cost and calls, and whatever is not known of them."""
    parts = [f"{usd(cost.known_micro)} in {plural(cost.calls, 'call')}"]
    if cost.unknown_calls:
        most = usd(cost.unknown_micro)
        parts.append(f"{plural(cost.unknown_calls, 'call')} of unknown cost, at most {most} more")
    if cost.unpriced_calls:
        parts.append(f"{plural(cost.unpriced_calls, 'call')} to models without a price")
    told = cost.provider
    if told is not None:
        booked = "" if told.micro == told.booked_micro else f", booked at {usd(told.booked_micro)}"
        parts.append(f"providers told {usd(told.micro)} for {plural(told.calls, 'call')}{booked}")
    return "; ".join(parts)


def _reason_rows(rejects: Rejects) -> list[list[str]]:
    """Layer, its name, reason, count and what it counts under, in precedence order."""
    return [
        [
            str(reason.layer),
            LAYERS.get(reason.layer, ""),
            reason.reason,
            number(reason.count),
            reason.counted_under,
        ]
        for reason in rejects.reasons
    ]


def _requested(asked: Requested, source: ImportSource | None) -> list[tuple[str, str]]:
    judge = asked.judge
    return [
        ("Config", f"{asked.config} version {asked.config_version}, mode {asked.mode}"),
        ("Conversations", counted(asked.conversations)),
        ("Seed, threads", f"{asked.seed}, {number(asked.lanes)}"),
        ("Prompt set", f"{asked.prompt_set}, language {asked.language}"),
        ("Personas", f"{len(asked.personas)} with {len(asked.voices)} voices")
        if source is None
        else ("Import", f"{source.name} ({source.id}), {number(source.count)} conversations"),
        *(("Model", f"{role.role}: {role.backend}/{role.model}") for role in asked.roles),
        (
            "Scoring",
            "none"
            if judge is None
            else f"{', '.join(judge.criteria)} on {judge.scale[0]:g} to {judge.scale[1]:g},"
            f" accepted from {judge.threshold:g}",
        ),
        *([("Judges", options_text(judge))] if judge and options_text(judge) else []),
        ("Estimate", f"{usd(asked.estimate_micro)}, {number(asked.expected_accepted)} accepted"),
        ("Spend cap", usd(asked.spend_cap_micro)),
    ]


def _happened(run: Run, happened: Happened) -> list[tuple[str, str]]:
    detail = "" if happened.why_not_moving else happened.detail
    why = ": ".join(text for text in (happened.reason, detail) if text)
    fields = [("Status", f"{happened.status}{f' ({why})' if why else ''}")]
    if happened.status == "completed" and run.accepted == 0:
        fields.append(("Nothing accepted", "the reject reasons below say why"))
    if happened.why_not_moving:
        fields.append(("Stands because", happened.why_not_moving))
    if happened.status == "paused":
        fields.append(("To go on", how_to_go_on(run.id, happened.reason)))
    fields += [
        ("Planned", _moment(happened.planned_at)),
        ("Started", _moment(happened.started_at)),
        ("Ended", _moment(happened.ended_at)),
        ("Threads through", counted(happened.threads)),
        ("Rate, ETA", f"{_rate(run.rate_per_minute)}, {duration(run.eta_s)}"),
    ]
    return fields


def _produced(made: Produced) -> list[tuple[str, str]]:
    estimate = usd(made.cost.estimate_micro)
    error = made.cost.estimate_error
    off = (
        ""
        if error is None
        else f", {100 * abs(error):.1f} % {'above' if error > 0 else 'below'} it"
    )
    diversity = made.diversity
    low = " (below the floor)" if diversity.below_floor else ""
    distinct = "-" if diversity.distinct3 is None else f"{diversity.distinct3:.3f}{low}"
    return [
        ("Generated", counted(made.generated)),
        ("Accepted", f"{counted(made.accepted)}, {_share(made.accepted)}"),
        ("Rejected", f"{counted(made.rejected)}, {_share(made.rejected)}"),
        ("Failed", f"{counted(made.failed)}, {_share(made.failed)}"),
        ("Cancelled", counted(made.cancelled)),
        ("Open", counted(made.open)),
        ("Cost", f"{cost_text(made.cost.total)} (the estimate was {estimate}{off})"),
        *([("Avoided", avoided_text(made.cost.avoided))] if made.cost.avoided else []),
        *([("Compared", compared_text(made.comparisons))] if made.comparisons else []),
        ("Distinct-3", f"{distinct} over {counted(diversity.conversations)}"),
    ]


def _reasons(rejects: Rejects) -> list[tuple[str, str]]:
    if not rejects.reasons:
        return []
    lines = [
        f"{reason}: {count} (layer {layer} {name}, {under})"
        for layer, name, reason, count, under in _reason_rows(rejects)
    ]
    return [("Reject reasons", f"{counted(rejects.population)}\n" + "\n".join(lines))]


def _evidence(run: Run) -> list[tuple[str, str]]:
    evidence = run.evidence
    return [
        ("Snapshot", evidence.snapshot),
        ("Events", counted(evidence.events)),
        ("Calls", counted(evidence.calls)),
        ("Conversations", evidence.conversations_url),
        ("Event log", evidence.events_url),
        ("Export", f"convo run export {run.id}"),
    ]


def _share(count: Counted) -> str:
    return percent(count.value, count.of or 0)


def _rate(per_minute: float | None) -> str:
    return "-" if per_minute is None else f"{per_minute:,.1f} a minute"


def _moment(at: datetime | None) -> str:
    return "-" if at is None else at.isoformat(sep=" ", timespec="seconds")
