"""Whether what a run config says about its judges can be what is meant."""

from collections.abc import Iterator

from convo_events.catalog import Judging
from convo_gateway.catalog.checks.findings import Finding, Parts, warning
from convo_gateway.catalog.explain import suggestion


def judging_findings(parts: Parts) -> Iterator[Finding]:
    """Judges that judge themselves, thresholds that nothing can miss, and options that do nothing or cannot work."""
    yield from _kind_to_itself(parts)
    judging = parts.config.judge
    if judging is None or not parts.sure("/judge"):
        return
    if judging.threshold == judging.scale[0]:
        message = (
            f"the threshold {judging.threshold:g} is the lowest score, so the judge rejects nothing"
        )
        yield warning(message, "/judge/threshold")
    yield from _samples(parts, judging)
    yield from _reference(parts, judging)


def _kind_to_itself(parts: Parts) -> Iterator[Finding]:
    """Source: a judge prefers what it wrote itself (Panickssery et al., 2024)."""
    assistant = parts.config.roles.assistant
    if assistant is None:
        return
    for called in parts.roles():
        same = (called.role.backend, called.role.model) == (assistant.backend, assistant.model)
        if called.name == "judge" and same and parts.sure(called.pointer, "/roles/assistant"):
            message = "the judge is the model that it judges; its scores will be kind to itself"
            yield warning(message, f"{called.pointer}/model")


def _samples(parts: Parts, judging: Judging) -> Iterator[Finding]:
    if judging.samples == 1 and judging.reducer != "mean" and not judging.panel:
        message = (
            f"the reducer {judging.reducer} has one sample of one judge to reduce; raise samples"
        )
        yield warning(message, "/judge/reducer")
    if judging.samples == 1:
        return
    for called in parts.roles():
        same_each_time = called.role.temperature == 0 and not called.role.send_seed
        if called.name == "judge" and same_each_time:
            message = "temperature 0 without a seed: only the order of the criteria differs between samples"
            yield warning(message, f"{called.pointer}/temperature")


def _reference(parts: Parts, judging: Judging) -> Iterator[Finding]:
    if judging.comparison is None or parts.prompt_set is None or not parts.sure("/prompt_set"):
        return
    name, there = judging.comparison.example, [one.name for one in parts.prompt_set.examples]
    if name not in there:
        hint = suggestion(name, there) if there else ": it has none"
        message = f'prompt set "{parts.prompt_set.name}" has no example "{name}"{hint}'
        yield Finding(message, "/judge/comparison/example")
