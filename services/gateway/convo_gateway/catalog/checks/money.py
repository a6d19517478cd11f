"""Whether what a run config says about money can be kept, and whether answers and prompts have room."""

from collections.abc import Iterator

from convo_events.catalog import RoleModel
from convo_events.plan import lengths
from convo_events.snapshot import Snapshot
from convo_gateway.catalog.checks.findings import Finding, Parts, RoleField, warning
from convo_gateway.expected_calls import (
    CRITERION_TOKENS,
    MESSAGE_TOKENS,
    SCRIPT_TURN_TOKENS,
    VERDICT_TOKENS,
    tokens,
    transcript_tokens,
)


def price_findings(parts: Parts) -> Iterator[Finding]:
    """Models without a price where a price is needed."""
    config = parts.config
    unpriced = dict.fromkeys(
        f"{called.role.backend}/{called.role.model}"
        for called in parts.roles()
        if (model := parts.model(called.role)) and model.prices is None
    )
    if not unpriced:
        return
    names = ", ".join(sorted(unpriced))
    if config.spend_cap_usd is not None:
        message = f"a spend cap needs a price for every model; without one are {names}: give prices, or drop the cap"
        yield Finding(message, "/spend_cap_usd")
    if config.confirm_above_usd is not None:
        message = f"without a price are {names}, so the estimate is unknown and every start asks for confirmation"
        yield warning(message, "/confirm_above_usd")


def room_findings(parts: Parts) -> Iterator[Finding]:
    """Answers that are cut for certain, and conversations that outgrow a model's context."""
    config, prompt_set = parts.config, parts.prompt_set
    if prompt_set is None or not parts.sure("/mode", "/length_mix", "/roles", "/judge"):
        return
    if any(config.misfits()):
        return
    # Something else may be missing that no length depends on.
    snapshot = Snapshot.model_construct(
        config=config,
        config_version=0,
        prompt_set=prompt_set,
        personas=parts.personas,
        voices=parts.voices,
        backends=tuple(parts.backends.values()),
    )
    planned = (lengths(part, in_pairs=config.speaks_in_turn)[-1] for part in config.length_mix)
    longest = max(planned, default=0)
    for called in parts.roles():
        name, role = called.name, called.role
        need = _least_answer(snapshot, name, longest)
        if role.max_tokens < need:
            what = f"a script of {longest} turns" if name == "assistant" else "a whole verdict"
            message = f"{role.max_tokens} tokens cut the answer: {what} takes at least {need:,}"
            yield warning(message, f"{called.pointer}/max_tokens")
        model = parts.model(role)
        whole = _whole(snapshot, name, role, longest)
        known = config.generates and model is not None
        if known and model and whole > model.context_tokens > role.max_tokens:
            message = (
                f"a conversation of {longest} turns takes about {whole:,} tokens with its prompt and the answer; "
                f"{role.backend}/{role.model} holds {model.context_tokens:,}"
            )
            yield warning(message, f"{called.pointer}/model")


def _least_answer(snapshot: Snapshot, name: RoleField, longest: int) -> int:
    """Tokens without which an answer of the role cannot be whole."""
    config = snapshot.config
    if name == "assistant" and not config.speaks_in_turn:
        return SCRIPT_TURN_TOKENS * longest // 2
    if name == "judge" and config.judge:
        return (VERDICT_TOKENS + CRITERION_TOKENS * len(config.judge.criteria)) // 2
    return 0


def _whole(snapshot: Snapshot, name: RoleField, role: RoleModel, longest: int) -> int:
    """Tokens of the largest call of a role: prompt, transcript and the longest answer."""
    segments = snapshot.prompt_set.segments
    script = name == "assistant" and not snapshot.config.speaks_in_turn
    prompt = next((t for n, t in segments.items() if n == ("script" if script else name)), "")
    heard = 0.0
    if not script:
        speaks = name in ("user", "assistant")
        heard = transcript_tokens(snapshot, longest - 1 if speaks else longest)
    return round(tokens(prompt) + MESSAGE_TOKENS + heard + role.max_tokens)
