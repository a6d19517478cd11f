"""Whether the parts of a run config agree with each other: mode, roles, judge, memory, roughening, languages."""

import re
from collections.abc import Iterator

from convo_gateway.catalog.checks.findings import Finding, Parts, warning

_LANGUAGE = re.compile(
    r"[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-[A-Za-z0-9]{5,8})*"
)
"""Source: BCP 47 (RFC 5646), section 2.1: language, script, region and variants; the rest is not in use here."""


def role_findings(parts: Parts) -> Iterator[Finding]:
    """What the mode lacks or has no use for, and parts that go together of which only one is there."""
    for misfit in parts.config.misfits():
        if parts.sure(*misfit.rests_on):
            yield Finding(misfit.message, misfit.pointer)


def session_findings(parts: Parts) -> Iterator[Finding]:
    """Sessions in which nobody comes back."""
    config = parts.config
    if config.mode != "sessions" or not parts.sure("/mode", "/threads", "/target_count"):
        return
    if config.threads >= config.target_count:
        message = (
            f"{config.target_count:,} conversations over {config.threads:,} threads: every persona comes once and "
            "nobody comes back; take fewer threads"
        )
        yield warning(message, "/threads")


def language_findings(parts: Parts) -> Iterator[Finding]:
    """Codes that are none, and personas that write another language than the run asks for."""
    config = parts.config
    if not parts.sure("/language"):
        return
    if not _LANGUAGE.fullmatch(config.language):
        message = f'"{config.language[:40]}" is no language code such as en or pt-BR'
        yield warning(message, "/language")
        return
    at = {entry.name: place for place, entry in enumerate(config.personas)}
    for persona in parts.personas:
        if _main(persona.language) != _main(config.language):
            message = (
                f'persona "{persona.name}" writes {persona.language}, and the config asks for {config.language}; '
                "the rule wrong_language rejects what it notices"
            )
            yield warning(message, f"/personas/{at[persona.name]}/name")


def _main(language: str) -> str:
    return language.partition("-")[0].lower()
