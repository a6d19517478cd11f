"""A run config and everything it names, frozen by value; or every reason why it cannot be. Pure: no I/O, no clock."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pydantic import ValidationError

from convo_events.catalog import RunConfig
from convo_events.errors import Invalid, Problem
from convo_events.snapshot import Snapshot
from convo_gateway.catalog.checks.check import check
from convo_gateway.catalog.checks.planning import distinct_draws
from convo_gateway.catalog.checks.prompts import CheckTemplates
from convo_gateway.catalog.checks.sources import Lookup, Sources, references, sources_in
from convo_gateway.catalog.documents import Named
from convo_gateway.catalog.rule_settings import Schema
from convo_models import prompts

__all__ = [
    "Frozen",
    "Lookup",
    "distinct_draws",
    "freeze",
    "lookup_in",
    "overridden",
    "references",
]


@dataclass(frozen=True, slots=True)
class Frozen:
    """What a run starts from."""

    snapshot: Snapshot
    warnings: tuple[Problem, ...]
    """What is allowed and probably not meant."""


def lookup_in(objects: Iterable[Named]) -> Lookup:
    """A lookup in objects at hand, each in version 1."""
    return sources_in(objects).lookup


def freeze(
    config: RunConfig,
    config_version: int,
    lookup: Lookup | Sources,
    *,
    target_count: int | None = None,
    seed: int | None = None,
    check_templates: CheckTemplates = prompts.check_templates,
    rules: Mapping[str, Schema] | None = None,
) -> Frozen:
    """The frozen inputs of a run, and warnings.

    Args:
        config: The config as the catalog has it.
        config_version: Its version.
        lookup: Where the objects it names come from.
        target_count: Instead of the config's, for this run.
        seed: Instead of the config's, for this run.
        check_templates: What checks the templates of the prompt set.
        rules: JSON schema of the parameters by rule, as the filters announced them; None where nothing is known yet.

    Raises:
        Invalid: with every problem; pointers lead into the config.
    """
    checked = check(
        overridden(config, target_count, seed),
        config_version,
        lookup if isinstance(lookup, Sources) else Sources(lookup),
        check_templates=check_templates,
        rules=rules,
    )
    if checked.snapshot is None:
        problems = [Problem(finding.message, finding.pointer) for finding in checked.errors]
        raise Invalid(problems, source=f"run config {config.name}")
    warnings = (Problem(finding.message, finding.pointer) for finding in checked.warnings)
    return Frozen(checked.snapshot, tuple(warnings))


def overridden(config: RunConfig, target_count: int | None, seed: int | None) -> RunConfig:
    """The config with this run's own target and seed.

    Raises:
        Invalid: where these are out of bounds.
    """
    changes = {"target_count": target_count, "seed": seed}
    given = {name: value for name, value in changes.items() if value is not None}
    if not given:
        return config
    try:
        return RunConfig.model_validate({**config.model_dump(), **given})
    except ValidationError as error:
        problems = [Problem(e["msg"], f"/{e['loc'][0]}") for e in error.errors(include_url=False)]
        raise Invalid(problems, source=f"run config {config.name}") from error
