"""Processes that end with the one that started them, however that one went: SIGKILL leaves it no last word."""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def end_with_parent(parent_pid: int) -> None:
    """Have the kernel tell this process to stop (SIGTERM) when its parent is gone; Linux only, elsewhere nothing.

    Args:
        parent_pid: who started it. If that one is gone already, nobody would tell any more: it stops at once.
    """
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent_pid:
        os.kill(os.getpid(), signal.SIGTERM)
