"""What changes make of a run's own settings, with everything that is wrong with them at once. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from convo_events.catalog import FilterList, RuleSetting, RunConfig
from convo_events.errors import Problem
from convo_events.replays import VerdictSettings
from convo_events.snapshot import Snapshot
from convo_gateway.catalog.explain import suggestion
from convo_gateway.catalog.rule_settings import Schema, rule_problems
from convo_gateway.shapes.replays import FilterListChange, ReplayChanges, RuleChange

_VERDICTS = {"rules", "filter_lists", "diversity"}
_BESIDE = {
    "name",
    "description",
    "target_count",
    "seed",
    "threads",
    "spend_cap_usd",
    "confirm_above_usd",
}
"""Fields of a config that no verdict depends on."""
_OTHER_RUNS = (
    "Of other runs only the neighbours that the run found itself count; they are not searched anew."
)


@dataclass(frozen=True, slots=True)
class Today:
    """What the catalog has now."""

    config: RunConfig | None = None
    """The config that the changes name."""
    filter_lists: Mapping[str, FilterList] | None = None
    """Lists by name, as far as they are needed and there."""
    rules: Mapping[str, Schema] | None = None
    """JSON schema of the parameters by rule; None where nothing is announced yet."""


@dataclass(frozen=True, slots=True)
class Considered:
    """Changes, considered."""

    settings: VerdictSettings
    problems: tuple[Problem, ...]
    notes: tuple[str, ...]
    """What a replay cannot show."""


def lists_needed(changes: ReplayChanges, config: RunConfig | None) -> set[str]:
    """Names of the filter lists that have to be known as they are today."""
    named = {name for name, change in changes.filter_lists.items() if change.latest}
    return named | set(config.filter_lists if config else ())


def consider(changes: ReplayChanges, snapshot: Snapshot, today: Today) -> Considered:
    """The settings that are tried, what is wrong with them, and what they leave out."""
    own = VerdictSettings.of(snapshot)
    problems: list[Problem] = []
    base = _of_config(own, today, problems)
    lists = _lists(changes, snapshot, base, today, problems)
    rules = _rules(changes, base, today, problems)
    given = changes.model_fields_set
    threshold = changes.threshold if "threshold" in given else base.threshold
    problems += _threshold_problems(changes, snapshot, today)
    settings = VerdictSettings(
        rules=base.rules | rules,
        look_again=tuple(name for name, rule in rules.items() if rule.enabled),
        filter_lists=lists,
        near_duplicate=changes.near_duplicate if "near_duplicate" in given else base.near_duplicate,
        example_copy=changes.example_copy if "example_copy" in given else base.example_copy,
        threshold=threshold,
    )
    return Considered(settings, tuple(problems), tuple(_notes(snapshot, settings, today)))


def _of_config(own: VerdictSettings, today: Today, problems: list[Problem]) -> VerdictSettings:
    config = today.config
    if config is None:
        return own
    known = today.filter_lists or {}
    missing = [name for name in config.filter_lists if name not in known]
    problems += [
        Problem(
            f'config {config.name} names the filter list "{name}", which is not there', "/config"
        )
        for name in missing
    ]
    return VerdictSettings(
        rules=config.rules,
        filter_lists=tuple(known[name] for name in config.filter_lists if name in known),
        near_duplicate=config.diversity.near_duplicate,
        example_copy=config.diversity.example_copy,
        threshold=config.judge.threshold if config.judge else None,
    )


def _rules(
    changes: ReplayChanges, base: VerdictSettings, today: Today, problems: list[Problem]
) -> dict[str, RuleSetting]:
    rules = {name: _rule(change, base.rules.get(name)) for name, change in changes.rules.items()}
    if today.rules is not None:
        problems += rule_problems(rules, today.rules)
    return rules


def _rule(change: RuleChange, before: RuleSetting | None) -> RuleSetting:
    parameters = {**(before.parameters if before else {}), **change.parameters}
    given = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in parameters.items()
        if value is not None
    }
    return RuleSetting(enabled=change.enabled, parameters=given)


def _lists(
    changes: ReplayChanges,
    snapshot: Snapshot,
    base: VerdictSettings,
    today: Today,
    problems: list[Problem],
) -> tuple[FilterList, ...]:
    """The lists in their order, and those that are new behind them."""
    lists = {one.name: one for one in base.filter_lists}
    frozen = {one.name: one for one in snapshot.filter_lists}
    known = today.filter_lists or {}
    for name, change in changes.filter_lists.items():
        pointer = f"/filter_lists/{name}"
        found = known.get(name) if change.latest else lists.get(name, frozen.get(name))
        if found is None:
            where = "the catalog" if change.latest else "this run"
            near = suggestion(name, list(known if change.latest else lists))
            problems.append(Problem(f'there is no filter list "{name}" in {where}{near}', pointer))
        elif change.left_out:
            lists.pop(name, None)
        else:
            lists[name] = _changed(found, change, pointer, problems)
    return tuple(lists.values())


def _changed(
    listed: FilterList, change: FilterListChange, pointer: str, problems: list[Problem]
) -> FilterList:
    absent = [phrase for phrase in change.remove if phrase not in listed.phrases]
    problems += [
        Problem(f"{phrase!r} is no phrase of {listed.name}", f"{pointer}/remove")
        for phrase in absent
    ]
    kept = [phrase for phrase in listed.phrases if phrase not in change.remove]
    added = [phrase for phrase in change.add if phrase not in kept]
    return listed.model_copy(update={"phrases": (*kept, *added)})


def _threshold_problems(
    changes: ReplayChanges, snapshot: Snapshot, today: Today
) -> Iterator[Problem]:
    judge, config = snapshot.config.judge, today.config
    if judge is None:
        if changes.threshold is not None:
            message = "this run had no judge, so there are no scores to hold against it"
            yield Problem(message, "/threshold")
        return
    low, high = judge.scale
    if changes.threshold is not None and not low <= changes.threshold <= high:
        message = f"{changes.threshold:g} is not on the run's scale {low} to {high}"
        yield Problem(message, "/threshold")
    theirs = config.judge if config else None
    if (
        config
        and theirs
        and theirs.scale != judge.scale
        and "threshold" not in changes.model_fields_set
    ):
        message = (
            f"config {config.name} scores from {theirs.scale[0]} to {theirs.scale[1]}, this run did from {low} to "
            f"{high}: name a threshold on the run's scale"
        )
        yield Problem(message, "/threshold")


def _notes(snapshot: Snapshot, settings: VerdictSettings, today: Today) -> Iterator[str]:
    own, config = snapshot.config, today.config
    if config is not None:
        differs = [
            name.replace("_", " ")
            for name in RunConfig.model_fields
            if name not in _VERDICTS | _BESIDE and _other(own, config, name)
        ]
        if differs:
            yield (
                f"Config {config.name} also differs in {', '.join(differs)}; a replay makes and judges nothing anew, "
                "so this shows only its rules, lists, limits and threshold."
            )
    compares = settings.near_duplicate is not None
    if compares and own.diversity.scope != "run":
        yield _OTHER_RUNS
    if settings.threshold is not None and own.judge is None:
        yield "The run had no judge: whatever passes the filters would be judged."


def _other(own: RunConfig, config: RunConfig, name: str) -> bool:
    """Whether a field is another one; of the judge, more than its threshold."""
    mine, theirs = getattr(own, name), getattr(config, name)
    if name == "judge" and own.judge and config.judge:
        theirs = config.judge.model_copy(update={"threshold": own.judge.threshold})
    return bool(mine != theirs)
