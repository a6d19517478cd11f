"""What the architecture tests look at: the files that git knows, and the modules that must be pure."""

import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def tracked() -> list[Path]:
    """Tracked files that exist, below the root; all files where this is no checkout."""
    listed = subprocess.run(
        ("git", "ls-files", "-z"), cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    return [path for name in listed.split("\0") if name and (path := ROOT / name).is_file()]


@pytest.fixture(scope="session")
def pure_files() -> list[Path]:
    """The files of the modules that the contract `pure` names."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    contracts = settings["tool"]["importlinter"]["contracts"]
    (pure,) = (contract for contract in contracts if contract["id"] == "pure")
    found = [path for module in pure["source_modules"] for path in _files(module)]
    assert found
    return found


def _files(module: str) -> list[Path]:
    pattern = module.replace(".", "/")
    pattern = f"{pattern}/*.py" if pattern.endswith("**") else f"{pattern}.py"
    return sorted(path for room in ROOT.glob("libs/*") for path in room.glob(pattern)) + sorted(
        path for room in ROOT.glob("services/*") for path in room.glob(pattern)
    )
