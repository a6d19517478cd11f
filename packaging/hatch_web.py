"""Hatch's hook on the wheel: the web pages are built before they are packed."""

import os
import sys
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent))

import web_build


class WebPages(BuildHookInterface):  # type: ignore[type-arg]  # generic in its configuration, which this hook has none of
    """Builds ``convo_gateway/static``."""

    def initialize(self, version: str, build_data: dict[str, object]) -> None:
        """Build the pages, unless the install is editable or somebody asked for none.

        Raises:
            NoNode: there is nothing to build with: a wheel without pages is not made by accident.
        """
        if version != "editable" and os.environ.get("CONVO_SKIP_WEB") != "1":
            web_build.build(Path(self.root) / "services/gateway/convo_gateway")
