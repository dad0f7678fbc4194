"""End a process with its parent, even if the parent is killed with SIGKILL."""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def end_with_parent(parent_pid: int) -> None:
    """Ask the kernel to send SIGTERM to this process when its parent dies. Linux only; elsewhere it does nothing.

    Args:
        parent_pid: the parent. If it is gone already, the kernel sends no signal any more, so that the process stops at once.
    """
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent_pid:
        os.kill(os.getpid(), signal.SIGTERM)
