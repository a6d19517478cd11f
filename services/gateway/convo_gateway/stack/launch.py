"""Start a program that cannot outlive its supervisor.

Run as a script by its path: `python launch.py SIGNAL PARENT UID GID PROGRAM [ARGUMENT ...]`; so it
imports nothing of convo.

It asks the kernel for SIGNAL when the parent dies, changes to the account UID:GID unless they are
"-", and becomes PROGRAM. The order matters: a change of account forgets the signal.
Source: prctl(2), PR_SET_PDEATHSIG.
"""

import ctypes
import os
import sys

PR_SET_PDEATHSIG = 1


def main(arguments: list[str]) -> None:
    """Become the program; returns only by an exception."""
    death_signal, parent, uid, gid, program, *rest = arguments
    if uid != "-":
        os.setgroups([])
        os.setgid(int(gid))
        os.setuid(int(uid))
    if sys.platform == "linux":
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(PR_SET_PDEATHSIG, int(death_signal), 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG)")
    if os.getppid() != int(parent):
        sys.exit("the supervisor is gone")
    os.execv(program, [program, *rest])


if __name__ == "__main__":
    main(sys.argv[1:])
