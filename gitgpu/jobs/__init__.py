"""Work spread over processes: results come in the order of their tasks, as if one process had done everything.

A worker is a fork: it has what was read so far, and sends back its results alone. Where processes cannot be forked
safely (Windows, macOS) there is one job, whatever `--jobs` says.
"""

import os
import sys
from collections.abc import Callable, Generator, Sequence
from itertools import pairwise
from typing import TypeVar

Result = TypeVar("Result")
Task = TypeVar("Task")

PARTS = 4  # of the work for each process: the last one to end keeps the others waiting for a quarter of its share


def processes(jobs: int | None, amount: int, enough: int) -> int:
    """How many processes share an amount of work: as many as `jobs` says, or one for each core if it says nothing.

    With less than `enough` work, starting them would take longer than the work: then this process does everything.
    """
    if jobs is not None:
        return jobs
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


def beside(work: Callable[[], Result], *, at_once: bool) -> Generator[Result, None, None]:
    """The one result of `work`, which another process begins at once, or this one when the result is read."""
    if at_once and _can_fork():
        return _begun(lambda task: task(), (work,), 1)
    return (task() for task in (work,))


def results(work: Callable[[Task], Result], tasks: Sequence[Task], jobs: int) -> Generator[Result, None, None]:
    """The result of `work` for each task, in order, as soon as it exists; to be read to its end, or closed.

    Workers begin at once, so this process can do something else before it reads the first result. The first exception
    of a task is raised here. When a worker ends before its task, that is an OSError. Workers end with this process,
    however it ends.
    """
    if jobs == 1 or len(tasks) < 2 or not _can_fork():
        return (work(task) for task in tasks)
    return _begun(work, tasks, min(jobs, len(tasks)))


def _begun(work: Callable[[Task], Result], tasks: Sequence[Task], jobs: int) -> Generator[Result, None, None]:
    # Most runs need none of it. It is loaded before the forks, so that only one process loads it.
    from gitgpu.jobs.workers import forked  # noqa: PLC0415

    answers = forked(work, tasks, jobs)
    next(answers)
    return answers


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _can_fork() -> bool:
    return hasattr(os, "fork") and sys.platform != "darwin"
