"""Work spread over processes: results come in the order of their tasks, as if one process had done everything.

A worker is a fork: it has what was read so far, and sends back its results alone. Where processes cannot be forked
safely (Windows, macOS) there is one job, whatever is asked for.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from itertools import pairwise
from threading import Thread
from typing import Any, TypeVar

Result = TypeVar("Result")
Task = TypeVar("Task")

PARTS = 4  # of the work for each process: the last one to end keeps the others waiting for a quarter of its share
_work: ContextVar[Callable[[Any], Any]] = ContextVar("work")  # of a worker: what it does to each task


def usual(amount: int, enough: int) -> int:
    """How many jobs an amount of work is worth: one for each core, or one where starting them would take longer."""
    return _cores() if amount >= enough and _can_fork() else 1


def shares(amount: int, jobs: int, largest: int | None = None) -> list[tuple[int, int]]:
    """An amount of work in parts, as (start, end), in order; one part for one job.

    No part is larger than `largest`, where results of a larger part would take too much memory.
    """
    parts = min(amount, jobs * PARTS) if jobs > 1 else 1
    if largest:
        parts = max(parts, -(-amount // largest))
    bounds = [amount * at // parts for at in range(parts + 1)] if parts else []
    return list(pairwise(bounds))


def spread(work: Callable[[Task], Result], tasks: Sequence[Task], jobs: int) -> list[Result]:
    """What `work` gives for each task, in order: see `results`."""
    return list(results(work, tasks, jobs))


def results(work: Callable[[Task], Result], tasks: Sequence[Task], jobs: int) -> Iterator[Result]:
    """What `work` gives for each task, in order, as soon as it is there; to be read to its end.

    The first exception of a task is raised here. When a worker ends before its task, that is an OSError. Workers end
    with this process, however it ends.
    """
    if jobs == 1 or len(tasks) < 2 or not _can_fork():
        return map(work, tasks)
    return _forked(work, tasks, min(jobs, len(tasks)))


def _forked(work: Callable[[Task], Result], tasks: Sequence[Task], jobs: int) -> Iterator[Result]:
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415  most runs need none of it
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415  most runs need none of it
    from multiprocessing import active_children, get_context  # noqa: PLC0415  most runs need none of it

    others = set(active_children())
    pool = ProcessPoolExecutor(jobs, get_context("fork"), _begin, (work,))
    try:
        yield from pool.map(_do, tasks)
    except BrokenProcessPool as error:
        raise ChildProcessError("a worker process was killed; --jobs 1 does everything in one process") from error
    except BaseException:
        for worker in set(active_children()) - others:  # an interrupt must not wait for what is no longer wanted
            worker.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _begin(work: Callable[[Any], Any]) -> None:
    """Prepares a worker. Ctrl-C goes to all processes of a terminal: the one that waits for the workers ends them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _work.set(work)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import parent_process  # noqa: PLC0415  most runs need none of it

    parent = parent_process()
    if parent:
        parent.join()
        os._exit(1)


def _do(task: Any) -> Any:
    return _work.get()(task)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _can_fork() -> bool:
    return hasattr(os, "fork") and sys.platform != "darwin"
