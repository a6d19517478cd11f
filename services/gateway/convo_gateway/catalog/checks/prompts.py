"""Whether the prompt set fits the mode, and its templates fit what the config draws."""

import re
from collections.abc import Callable, Iterator, Sequence

from convo_events.catalog import SEGMENTS, PromptSet, RunConfig, Segment
from convo_events.errors import Problem
from convo_gateway.catalog.checks.findings import Finding, Parts, warning
from convo_models.prompts import variable

CheckTemplates = Callable[[PromptSet, Sequence[str]], list[Problem]]
"""Prompt set and pool names to what is wrong with the templates."""


def prompt_findings(parts: Parts, check_templates: CheckTemplates) -> Iterator[Finding]:
    """What the prompt set lacks, and what its templates ask for that there is not."""
    config, prompt_set = parts.config, parts.prompt_set
    if prompt_set is None:
        return
    if parts.sure("/mode"):
        yield from _missing_segments(config, prompt_set)
    if parts.sure("/pools"):
        yield from _template_findings(config, prompt_set, check_templates)
        if parts.sure("/mode"):
            yield from _unused(parts, prompt_set)


def _missing_segments(config: RunConfig, prompt_set: PromptSet) -> Iterator[Finding]:
    if config.generates and config.mode not in prompt_set.modes:
        modes = ", ".join(prompt_set.modes)
        message = f'prompt set "{prompt_set.name}" is for {modes}, not for {config.mode}'
        yield Finding(message, "/mode")
    if config.memory is not None and "memory" not in prompt_set.segments:
        yield _lacks(prompt_set, "memory", "/memory")
    if config.roughen is not None and "roughen" not in prompt_set.segments:
        yield _lacks(prompt_set, "roughen", "/roughen")


def _lacks(prompt_set: PromptSet, segment: Segment, pointer: str) -> Finding:
    message = (
        f'prompt set "{prompt_set.name}" has no segment {segment}; add it, or take {segment} out'
    )
    return Finding(message, pointer)


def _template_findings(
    config: RunConfig, prompt_set: PromptSet, check_templates: CheckTemplates
) -> Iterator[Finding]:
    if not config.generates:
        # Segments that make conversations may stay: they are for other modes.
        sent = segments_sent(config, prompt_set)
        prompt_set = prompt_set.model_copy(update={"segments": sent})
    for problem in check_templates(prompt_set, config.pools):
        if problem.pointer.startswith("/segments/"):
            segment = problem.pointer.removeprefix("/segments/")
            message = f'prompt set "{prompt_set.name}", segment {segment}: {problem.message}'
            yield Finding(message, "/prompt_set")
        else:
            yield Finding(problem.message, problem.pointer)


def segments_sent(config: RunConfig, prompt_set: PromptSet) -> dict[Segment, str]:
    """The segments that a run of the config sends, with their templates."""
    names: set[Segment] = set(SEGMENTS[config.mode])
    if config.speaks_in_turn:
        names.add("opening")
    for name in ("judge", "memory", "roughen"):
        if getattr(config, name) is not None:
            names.add(name)
    return {name: text for name, text in prompt_set.segments.items() if name in names}


def _unused(parts: Parts, prompt_set: PromptSet) -> Iterator[Finding]:
    """What is drawn or remembered and said to nobody, and memory where there is none."""
    config = parts.config
    sent = segments_sent(config, prompt_set)
    for at, pool in enumerate(config.pools):
        if not any(_says(text, variable(pool)) for text in sent.values()):
            message = f'pool "{pool}" is drawn from, and no prompt of mode {config.mode} says {variable(pool)}'
            yield warning(message, f"/pools/{at}")
    speaking = [text for name, text in sent.items() if name in ("user", "assistant", "opening")]
    says_memory = any(_says(text, "memory") for text in speaking)
    if config.memory is not None and not says_memory:
        message = "what is remembered reaches nobody: no prompt of the user, the opening or the assistant says memory"
        yield warning(message, "/memory")
    if config.memory is None and any(_counts_on(text, "memory") for text in sent.values()):
        message = f'prompt set "{prompt_set.name}" says memory, and this config remembers nothing: it is always empty'
        yield warning(message, "/prompt_set")
    if config.roughen is None and any(_counts_on(text, "strength") for text in sent.values()):
        message = f'prompt set "{prompt_set.name}" says strength, and nothing is roughened: it is always empty'
        yield warning(message, "/prompt_set")


def _says(template: str, word: str) -> bool:
    """Whether a tag of the template has the variable in it."""
    tags = re.findall(r"\{[{%].*?[}%]\}", template, re.DOTALL)
    return any(re.search(rf"(?<![\w.]){re.escape(word)}(?!\w)", tag) for tag in tags)


def _counts_on(template: str, word: str) -> bool:
    """Whether the template has the variable, and no condition for when it is empty."""
    asks = re.search(rf"\{{%-?\s*(el)?if\b[^%]*(?<![\w.]){re.escape(word)}(?!\w)", template)
    return _says(template, word) and asks is None


def pattern_findings(parts: Parts) -> Iterator[Finding]:
    """Filter lists that look for nothing, and patterns that are no regular expressions."""
    at = {name: place for place, name in enumerate(parts.config.filter_lists)}
    for filter_list in parts.filter_lists:
        pointer = f"/filter_lists/{at[filter_list.name]}"
        if not (filter_list.phrases or filter_list.patterns):
            yield warning(f'filter list "{filter_list.name}" has no phrase and no pattern', pointer)
        for pattern in filter_list.patterns:
            try:
                re.compile(pattern, re.IGNORECASE)
            except (re.error, RecursionError, OverflowError) as error:
                message = f'filter list "{filter_list.name}": pattern {pattern!r} is no regular expression: {error}'
                yield Finding(message, pointer)
