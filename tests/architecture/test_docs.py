"""What the documentation says of files, settings and metrics is there."""

import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from prometheus_client.metrics import MetricWrapperBase

from convo_events.telemetry import Metrics
from convo_gateway.gateway_settings import GatewaySettings
from tests.architecture.room_pages import room_pages, written

LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
PATH = re.compile(r"`((?:libs|services|tests|docs|deploy)/[\w./-]+)`")


@pytest.fixture(scope="module")
def pages(tracked: list[Path]) -> list[Path]:
    return [path for path in tracked if path.suffix == ".md"]


def test_every_link_leads_to_a_file(root: Path, pages: list[Path]) -> None:
    broken = [
        f"{page.relative_to(root)}: {link}"
        for page in pages
        for link in LINK.findall(FENCE.sub("", page.read_text()))
        if not re.match(r"[a-z]+:|#", link)
        and not (page.parent / unquote(link.partition("#")[0])).exists()
    ]

    assert broken == []


def test_every_path_that_is_named_is_there(root: Path, pages: list[Path]) -> None:
    missing = [
        f"{page.relative_to(root)}: {path}"
        for page in pages
        for path in PATH.findall(page.read_text())
        if not (root / path).exists()
    ]

    assert missing == []


@pytest.mark.parametrize("page", room_pages(), ids=lambda page: str(page.parent.name))
def test_the_page_of_a_room_lists_its_files(page: Path) -> None:
    assert page.read_text() == written(page.read_text()), (
        "run python -m tests.architecture.room_pages"
    )


def test_every_module_that_the_glossary_names_is_there(root: Path) -> None:
    named = re.findall(r"`(convo_[a-z_.]+)`", (root / "GLOSSARY.md").read_text())
    found = [name for name in named if _exists(root, name)]

    assert named
    assert found == named


def _exists(root: Path, module: str) -> bool:
    path = module.replace(".", "/")
    return any(
        (room / f"{path}.py").exists() or (room / path).is_dir()
        for folder in ("libs", "services")
        for room in (root / folder).iterdir()
    )


def test_every_setting_is_explained(root: Path) -> None:
    told = re.findall(r"^\| `CONVO_(\w+)`", (root / "docs/operations.md").read_text(), re.MULTILINE)

    assert sorted(told) == sorted(name.upper() for name in GatewaySettings.model_fields)


def test_the_defaults_are_the_real_ones(root: Path) -> None:
    rows = re.findall(
        r"^\| `CONVO_(\w+)` \| (\S+) \|", (root / "docs/operations.md").read_text(), re.MULTILINE
    )
    fields = GatewaySettings.model_fields

    assert rows
    assert {name: "" if told == "empty" else told for name, told in rows} == {
        name: str(fields[name.lower()].default) for name, _ in rows
    }


def test_every_metric_is_listed(root: Path) -> None:
    text = (root / "docs/operations.md").read_text()
    told = {name.removesuffix("_total") for name in re.findall(r"^\| `(convo_\w+)`", text, re.M)}
    made = {
        family.name
        for metric in vars(Metrics()).values()
        if isinstance(metric, MetricWrapperBase)
        for family in metric.describe()
    }

    assert told == made
