"""What the plan would make of a run config: shares, lengths, threads and draws that come again."""

from collections.abc import Iterator, Sequence
from math import prod

from convo_events.catalog import RunConfig
from convo_events.distinct import WINDOW
from convo_events.plan import lengths, share_sizes, stratum_sizes
from convo_gateway.catalog.checks.findings import Finding, Parts, warning

_USUAL_THREADS = RunConfig.model_fields["threads"].default
"""Nobody asked for these."""


def plan_findings(parts: Parts) -> Iterator[Finding]:
    """Numbers that do not do what they seem to ask for."""
    yield from _threads(parts)
    yield from _empty_shares(parts)
    yield from _same_ranges(parts)
    yield from _odd_lengths(parts)
    yield from _repeated_draws(parts)
    yield from _diversity(parts.config)


def _threads(parts: Parts) -> Iterator[Finding]:
    config = parts.config
    if config.mode in ("sessions", "import") or config.threads == _USUAL_THREADS:
        return
    if parts.sure("/threads", "/target_count") and config.threads > config.target_count:
        message = (
            f"{config.threads:,} threads for {config.target_count:,} conversations: "
            f"only {config.target_count:,} have something to do"
        )
        yield warning(message, "/threads")


def _empty_shares(parts: Parts) -> Iterator[Finding]:
    """Entries so light that the plan gives them no conversation."""
    config = parts.config
    if not parts.sure("/target_count", "/mode"):
        return
    lanes = min(config.threads, config.target_count)
    people = lanes if config.mode == "sessions" else config.target_count
    unit = "threads" if config.mode == "sessions" else "conversations"
    mixes: tuple[tuple[str, Sequence[float], int, str], ...] = (
        ("personas", [e.weight for e in config.personas], people, unit),
        ("voices", [e.weight for e in config.voices], people, unit),
        ("length_mix", [e.share for e in config.length_mix], config.target_count, "conversations"),
    )
    for name, weights, size, of in mixes:
        if not parts.sure(f"/{name}"):
            continue
        empty = [at for at, count in enumerate(stratum_sizes(size, weights)) if count == 0]
        if len(empty) == 1:
            share = weights[empty[0]] / sum(weights)
            message = f"a share of {share:.2%} of {size:,} {of} is none; raise it, or make more"
            yield warning(message, f"/{name}/{empty[0]}")
        elif empty:
            message = (
                f"{len(empty)} of {len(weights)} entries get none of the {size:,} {of}; make more"
            )
            yield warning(message, f"/{name}")
    rough = config.roughen.share if config.roughen and parts.sure("/roughen") else None
    if rough is not None and share_sizes(config.target_count, rough) == 0:
        message = f"a share of {rough:.2%} of {config.target_count:,} conversations is none"
        yield warning(message, "/roughen/share")


def _same_ranges(parts: Parts) -> Iterator[Finding]:
    seen: dict[tuple[int, int], int] = {}
    for at, part in enumerate(parts.config.length_mix):
        first = seen.setdefault(part.turns, at)
        if first != at and parts.sure(f"/length_mix/{at}", f"/length_mix/{first}"):
            low, high = part.turns
            message = f"{low} to {high} turns stand twice; their shares add up"
            yield warning(message, f"/length_mix/{at}/turns")


def _odd_lengths(parts: Parts) -> Iterator[Finding]:
    config = parts.config
    if not (config.speaks_in_turn and parts.sure("/mode")):
        return
    for at, part in enumerate(config.length_mix):
        if not parts.sure(f"/length_mix/{at}"):
            continue
        (low, high), pointer = part.turns, f"/length_mix/{at}/turns"
        made = lengths(part, in_pairs=True)
        if low == high and low % 2:
            message = f"a dialogue ends with the assistant: {low} turns become {made[0]}"
            yield warning(message, pointer)
        elif low % 2 or high % 2:
            there = f"{made[0]} to {made[-1]}" if len(made) > 1 else f"{made[0]}"
            message = f"a dialogue ends with the assistant: {low} to {high} turns are {there}, even numbers only"
            yield warning(message, pointer)


def _repeated_draws(parts: Parts) -> Iterator[Finding]:
    config = parts.config
    if not parts.sure("/target_count", "/personas", "/voices", "/pools"):
        return
    if not (config.personas and config.voices):
        return
    if len(parts.pools) < len(config.pools):
        return
    distinct = distinct_draws(config, [pool.values for pool in parts.pools])
    if config.target_count > distinct:
        message = (
            f"{config.target_count:,} conversations from {distinct:,} distinct "
            f"{'draw' if distinct == 1 else 'draws'} of persona, voice and pools: "
            "some draws come again; add values, or make fewer"
        )
        yield warning(message, "/target_count")


def distinct_draws(config: RunConfig, pools: Sequence[Sequence[str]]) -> int:
    """How many different draws of persona, voice and pool values there are."""
    values = prod(len(set(pool)) for pool in pools)
    return len(config.personas) * len(config.voices) * values


def _diversity(config: RunConfig) -> Iterator[Finding]:
    limit = config.diversity.near_duplicate
    if limit == 1:
        message = (
            "a similarity is never above 1, so no near duplicate is found; set it to null to say so"
        )
        yield warning(message, "/diversity/near_duplicate")
    if config.diversity.distinct3_floor == 1:
        message = "any three words that come again are under a floor of 1, so it is always shown as too low"
        yield warning(message, "/diversity/distinct3_floor")
    yield from _below_the_floor(config)
    if config.diversity.example_copy == 1:
        message = "only a conversation with every phrase of an example counts as its copy"
        yield warning(message, "/diversity/example_copy")


def _below_the_floor(config: RunConfig) -> Iterator[Finding]:
    asked = config.diversity
    if asked.below_floor == "show":
        return
    if asked.distinct3_floor is None:
        message = f"there is no distinct-3 floor, so nothing is ever under it and the run does not {asked.below_floor}"
        yield warning(message, "/diversity/below_floor")
    elif config.target_count < WINDOW:
        message = (
            f"distinct-3 is looked at from {WINDOW} accepted conversations on, and the run makes"
            f" {config.target_count}: it does not {asked.below_floor}"
        )
        yield warning(message, "/diversity/below_floor")
