"""The build backend: hatchling, which for a wheel also asks for Node where the machine has none.

An editable install asks for nothing more and builds no pages.
"""

import os

import hatchling.build
import web_build
from hatchling.build import (
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
]


def get_requires_for_build_wheel(config_settings: dict[str, object] | None = None) -> list[str]:
    """What has to be installed before a wheel can be built."""
    required = list(hatchling.build.get_requires_for_build_wheel(config_settings))
    skipped = os.environ.get("CONVO_SKIP_WEB") == "1" or web_build.is_built()
    if not skipped and web_build.node_on_path() is None:
        required.append(web_build.NODE_REQUIREMENT)
    return required
