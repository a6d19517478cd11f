"""What a list shows of a catalog object. Pure."""

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
from convo_gateway.shapes.catalog import Headline

_SHOWN = 20
"""Most names in one entry."""


def headline(item: CatalogObject) -> Headline:
    """The few fields that tell objects of a kind apart."""
    match item:
        case RunConfig():
            return {
                "description": item.description,
                "mode": item.mode,
                "target_count": item.target_count,
                "seed": item.seed,
                "prompt_set": item.prompt_set,
                "confirm_above_usd": item.confirm_above_usd,
                "spend_cap_usd": item.spend_cap_usd,
            }
        case PromptSet():
            return {"description": item.description, "modes": list(item.modes)}
        case Persona():
            return {"summary": item.summary, "language": item.language}
        case Voice():
            return {"style": item.style}
        case Pool():
            return {"values": len(item.values)}
        case FilterList():
            return {
                "description": item.description,
                "phrases": len(item.phrases),
                "patterns": len(item.patterns),
            }
        case Backend():
            models = [model.name for model in item.models[:_SHOWN]]
            return {"base_url": item.base_url, "models": models}
        case _:
            return {}
