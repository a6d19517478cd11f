"""Whether everything that a run config names is there."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from convo_events.catalog import (
    Backend,
    CatalogObject,
    FilterList,
    Persona,
    Pool,
    PromptSet,
    RunConfig,
    Voice,
)
from convo_gateway.catalog.checks.findings import (
    Finding,
    Parts,
    Severity,
    called_roles,
    warning,
)
from convo_gateway.catalog.checks.sources import Sources
from convo_gateway.catalog.documents import SINGULAR
from convo_gateway.catalog.explain import suggestion

_Object = TypeVar("_Object", bound=CatalogObject)
_WORDS = {kind: word.replace("-", " ") for kind, word in SINGULAR.items()}


@dataclass(slots=True)
class Found:
    """Objects looked up so far, their versions, and what is wrong with them."""

    sources: Sources
    unsure: frozenset[str] = frozenset()
    """Pointers of names that stand in for invalid ones and are not looked up."""
    versions: dict[str, int] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    missing: bool = False
    """Whether something was not found."""

    def get(self, shape: type[_Object], kind: str, name: str, pointer: str) -> _Object | None:
        """The object; a finding where it is not there."""
        if any(pointer == known or pointer.startswith(f"{known}/") for known in self.unsure):
            self.missing = True
            return None
        found = self.sources.lookup(kind, name)
        if found is None:
            self.missing = True
            severity: Severity = "error" if self.sources.whole else "warning"
            self.findings.append(Finding(self._missing(kind, name), pointer, severity))
            return None
        item, self.versions[f"{kind}/{name}"] = found
        if not isinstance(item, shape):
            raise TypeError(f"{kind}/{name} is a {type(item).__name__}")
        if (kind, name) in self.sources.archived:
            message = f'{_WORDS[kind]} "{name}" is archived; it still works, another may be meant'
            self.findings.append(warning(message, pointer))
        return item

    def all(
        self, shape: type[_Object], kind: str, names: Sequence[str], end: str = ""
    ) -> tuple[_Object, ...]:
        """The objects in the order of the names; a name that comes twice is a finding."""
        place = f"/{kind.replace('-', '_')}"
        for name, times in Counter(names).items():
            again = len(names) - 1 - names[::-1].index(name)
            if times > 1 and f"{place}/{again}" not in self.unsure:
                message = f'"{name}" is named {times} times; name it once, with its whole weight'
                self.findings.append(Finding(message, f"{place}/{again}{end}"))
        found = (self.get(shape, kind, name, f"{place}/{at}{end}") for at, name in enumerate(names))
        return tuple(item for item in found if item is not None)

    def _missing(self, kind: str, name: str) -> str:
        if not self.sources.whole:
            return f'{_WORDS[kind]} "{name}" is not in these files; no gateway was asked for it'
        near = suggestion(name, list(self.sources.names(kind)))
        hint = near if "did you mean" in near else "; add it or name another"
        return f'there is no {_WORDS[kind]} "{name}" in the catalog{hint}'


def parts_of(config: RunConfig, found: Found) -> Parts:
    """The config with the objects that it names; what is missing becomes findings."""
    return Parts(
        config=config,
        prompt_set=found.get(PromptSet, "prompt-sets", config.prompt_set, "/prompt_set"),
        personas=found.all(Persona, "personas", [e.name for e in config.personas], "/name"),
        voices=found.all(Voice, "voices", [e.name for e in config.voices], "/name"),
        pools=found.all(Pool, "pools", config.pools),
        filter_lists=found.all(FilterList, "filter-lists", config.filter_lists),
        backends=_backends(config, found),
        unsure=found.unsure,
    )


def _backends(config: RunConfig, found: Found) -> dict[str, Backend]:
    """The backends of the roles by name."""
    backends: dict[str, Backend] = {}
    for called in called_roles(config):
        name = called.role.backend
        backend = found.get(Backend, "backends", name, f"{called.pointer}/backend")
        if backend is not None:
            backends[name] = backend
    return backends


def model_findings(parts: Parts) -> Iterator[Finding]:
    """Models that their backends lack, and answers that leave no room for a prompt."""
    for called in parts.roles():
        role, pointer = called.role, called.pointer
        backend = parts.backends.get(role.backend)
        if backend is None:
            continue
        model = backend.model_named(role.model)
        if model is None:
            there = [known.name for known in backend.models]
            near = suggestion(role.model, there)
            listed = f"; it has {', '.join(there[:20])}"
            hint = near if "did you mean" in near else listed
            yield Finding(
                f'backend "{role.backend}" has no model "{role.model}"{hint}', f"{pointer}/model"
            )
        elif role.max_tokens >= model.context_tokens:
            yield Finding(
                f"{role.max_tokens} leaves no room for a prompt: the model holds "
                f"{model.context_tokens} tokens",
                f"{pointer}/max_tokens",
            )
