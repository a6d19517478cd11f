"""The import contracts hold, and each of them fires when it is broken."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BREACHES = {
    "rooms": ("services/judge/convo_judge/planted.py", "import convo_generator\n"),
    "events": (
        "libs/events/convo_events/telemetry.py",
        "from convo_events import store  # planted\n",
    ),
    "siblings": ("libs/models/convo_models/templates.py", "from convo_models import prompts\n"),
    "pure": ("libs/events/convo_events/plan.py", "import time\n"),
}
"""By contract: a file, and an import that the contract forbids there."""


def lint(root: Path, *contracts: str) -> subprocess.CompletedProcess[str]:
    rooms = [str(room) for folder in ("libs", "services") for room in (root / folder).iterdir()]
    return subprocess.run(
        (
            str(Path(sys.executable).with_name("lint-imports")),
            "--no-cache",
            *(f"--contract={contract}" for contract in contracts),
        ),
        cwd=root,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(rooms), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_all_contracts_hold(root: Path) -> None:
    result = lint(root)

    assert result.returncode == 0, result.stdout


@pytest.fixture(scope="module")
def copy(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python files of the rooms, to plant breaches in."""
    folder = tmp_path_factory.mktemp("rooms")
    shutil.copy(root / "pyproject.toml", folder)
    for name in ("libs", "services"):
        shutil.copytree(
            root / name,
            folder / name,
            ignore=lambda at, names: [
                n
                for n in names
                if not (n.endswith(".py") or (Path(at) / n).is_dir())
                or n in {"node_modules", "__pycache__", "static"}
            ],
        )
    return folder


@pytest.mark.parametrize("contract", BREACHES)
def test_a_breach_is_seen(copy: Path, contract: str) -> None:
    name, planted = BREACHES[contract]
    file = copy / name
    before = file.read_text() if file.exists() else None
    file.write_text((before or "") + planted)

    result = lint(copy, contract)

    if before is None:
        file.unlink()
    else:
        file.write_text(before)
    assert result.returncode == 1, result.stdout + result.stderr
    assert "0 kept, 1 broken" in result.stdout
    assert lint(copy, contract).returncode == 0


def test_a_breach_through_another_module_is_seen(copy: Path) -> None:
    middle = copy / "libs/events/convo_events/words.py"
    before = middle.read_text()
    middle.write_text(before + "import random\n")

    result = lint(copy, "pure")

    middle.write_text(before)
    assert result.returncode == 1
    assert "convo_events.similarity is not allowed to import random" in result.stdout
