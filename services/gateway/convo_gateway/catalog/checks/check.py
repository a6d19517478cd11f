"""Everything that is wrong with a run config, at once. Pure: no I/O, no clock."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from convo_events.catalog import RunConfig
from convo_events.snapshot import Snapshot
from convo_gateway.catalog.checks.agreement import (
    language_findings,
    role_findings,
    session_findings,
)
from convo_gateway.catalog.checks.findings import Finding, Parts
from convo_gateway.catalog.checks.judging import judging_findings
from convo_gateway.catalog.checks.mend import Body, mended
from convo_gateway.catalog.checks.money import price_findings, room_findings
from convo_gateway.catalog.checks.planning import plan_findings
from convo_gateway.catalog.checks.prompts import (
    CheckTemplates,
    pattern_findings,
    prompt_findings,
)
from convo_gateway.catalog.checks.references import Found, model_findings, parts_of
from convo_gateway.catalog.checks.sources import Sources
from convo_gateway.catalog.rule_settings import Schema, rule_problems
from convo_models import prompts

_ORDER = {name: at for at, name in enumerate(RunConfig.model_fields)}


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check came to."""

    config: RunConfig
    """As it was written; where parts of it are invalid, with stand-ins for them."""
    findings: tuple[Finding, ...]
    """In the order of the config's fields, errors before warnings of the same field."""
    snapshot: Snapshot | None
    """What a run would freeze; None where none can start."""

    @property
    def errors(self) -> tuple[Finding, ...]:
        """What keeps a run from starting."""
        return tuple(finding for finding in self.findings if finding.severity == "error")

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """What is allowed and probably not meant."""
        return tuple(finding for finding in self.findings if finding.severity == "warning")


def check_body(
    body: Body, sources: Sources, *, rules: Mapping[str, Schema] | None = None
) -> Checked:
    """Check a config as far as it is written.

    Args:
        body: What was written, finished or not.
        sources: What is known of the catalog.
        rules: JSON schema of the parameters by rule, as the filters announced them; None where nothing is known yet.
    """
    config, unsure, findings = mended(body)
    return check(config, 0, sources, rules=rules, unsure=unsure, before=findings)


def check(
    config: RunConfig,
    config_version: int,
    sources: Sources,
    *,
    check_templates: CheckTemplates = prompts.check_templates,
    rules: Mapping[str, Schema] | None = None,
    unsure: frozenset[str] = frozenset(),
    before: Iterable[Finding] = (),
) -> Checked:
    """Check a config, and freeze it where it has no error.

    Args:
        config: The config.
        config_version: Its version, for the snapshot.
        sources: What is known of the catalog.
        check_templates: What checks the templates of the prompt set.
        rules: JSON schema of the parameters by rule; None where nothing is known yet.
        unsure: Pointers of what stands in for something invalid.
        before: What is known to be wrong already.
    """
    found = Found(sources, unsure)
    parts = parts_of(config, found)
    findings = [
        *before,
        *found.findings,
        *model_findings(parts),
        *role_findings(parts),
        *prompt_findings(parts, check_templates),
        *pattern_findings(parts),
        *price_findings(parts),
        *_rule_findings(config, rules),
        *judging_findings(parts),
        *session_findings(parts),
        *language_findings(parts),
        *plan_findings(parts),
        *room_findings(parts),
    ]
    snapshot = None
    if not found.missing and not any(finding.severity == "error" for finding in findings):
        snapshot = _snapshot(parts, config_version, found)
    return Checked(config, tuple(sorted(findings, key=_place)), snapshot)


def _rule_findings(config: RunConfig, rules: Mapping[str, Schema] | None) -> Iterator[Finding]:
    for problem in rule_problems(config.rules, rules) if rules is not None else ():
        yield Finding(problem.message, problem.pointer)


def _snapshot(parts: Parts, config_version: int, found: Found) -> Snapshot:
    assert parts.prompt_set is not None
    return Snapshot(
        config=parts.config,
        config_version=config_version,
        versions=dict(sorted(found.versions.items())),
        prompt_set=parts.prompt_set,
        personas=parts.personas,
        voices=parts.voices,
        pools=parts.pools,
        filter_lists=parts.filter_lists,
        backends=tuple(parts.backends.values()),
    )


def _place(finding: Finding) -> tuple[int, bool]:
    field = finding.pointer.split("/")[1] if finding.pointer else ""
    return _ORDER.get(field, -1), finding.severity == "warning"
