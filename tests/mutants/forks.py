"""Runs a function in a fork of this process, with limits on time and memory."""

import ctypes
import os
import resource
import signal
import sys
import time
from collections.abc import Callable

MEMORY = 3 << 30
_PARENT_DEATH = 1  # PR_SET_PDEATHSIG of prctl(2)
BUSY = 5  # times as long as its CPU time may work take on a busy machine; what waits forever uses none


def forked(work: Callable[[], int | None], seconds: float) -> int | None:
    """The exit status that the work returns in a fork (1 for an exception); None if it took too long."""
    child = os.fork()
    if not child:
        end_with_parent()
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        status = 1
        try:
            status = work() or 0
        finally:
            os._exit(status)
    ended = _waited(child, seconds)
    return None if ended == -signal.SIGPROF else ended


def end_with_parent() -> None:
    """Ends this process when the one that started it ends, even if that is killed. Only Linux offers it."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PARENT_DEATH, signal.SIGKILL)


def _waited(child: int, seconds: float) -> int | None:
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.002)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def allow(seconds: float) -> None:
    """Ends this process after this much more CPU time.

    The signal has no handler: Python calls those between two instructions only, and a regular expression is one.
    """
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, seconds)
