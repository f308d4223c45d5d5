"""Work spread over processes. Results come in the order of their tasks, as if one process had done everything.

A worker is a fork: it inherits all data in memory, and sends back only its results. Where processes cannot be forked
safely (Windows, macOS), there is one job, whatever `--jobs` says.
"""

import os
import sys
from collections.abc import Callable, Generator, Sequence
from itertools import pairwise
from typing import TypeVar

Result = TypeVar("Result")
Task = TypeVar("Task")

PARTS = 4  # for each process: at the end, the others wait for the last one for a quarter of its share at most


def processes(jobs: int | None, amount: int, enough: int) -> int:
    """The number of processes that share an amount of work: `jobs`, or one for each core if it is None.

    With less than `enough` work, it is one, because starting more would take longer than the work.
    """
    if jobs is not None:
        return jobs
    return cores() if amount >= enough and can_fork() else 1


def shares(amount: int, jobs: int, largest: int | None = None) -> list[tuple[int, int]]:
    """Divides an amount of work into parts, as (start, end), in order: one part for one job, or several for each job.

    No part is larger than `largest`, because the results of a larger one would take too much memory.
    """
    parts = min(amount, jobs * PARTS) if jobs > 1 else 1
    if largest:
        parts = max(parts, -(-amount // largest))
    bounds = [amount * index // parts for index in range(parts + 1)] if parts else []
    return list(pairwise(bounds))


def spread(work: Callable[[Task], Result], tasks: Sequence[Task], jobs: int) -> list[Result]:
    """The result of `work` for each task, in order; see `results`."""
    return list(results(work, tasks, jobs))


def in_background(work: Callable[[], Result], *, at_once: bool) -> Generator[Result, None, None]:
    """The one result of `work`. Another process starts it `at_once`; otherwise, it starts when the result is read."""
    if at_once and can_fork():
        return _begun(lambda task: task(), (work,), 1)
    return (task() for task in (work,))


def results(work: Callable[[Task], Result], tasks: Sequence[Task], jobs: int) -> Generator[Result, None, None]:
    """Yields the result of `work` for each task, in order, as soon as it exists. Read it to its end, or close it.

    Workers start immediately, so this process can do something else before it reads the first result. The first
    exception of a task is raised here. A worker that ends before its task is an OSError. Workers end when this process
    ends, even if it is killed.
    """
    if jobs == 1 or len(tasks) < 2 or not can_fork():
        return (work(task) for task in tasks)
    return _begun(work, tasks, min(jobs, len(tasks)))


def _begun(work: Callable[[Task], Result], tasks: Sequence[Task], jobs: int) -> Generator[Result, None, None]:
    # Most runs do not need this module. It is imported before the fork, so that only one process imports it.
    from gitgpu.jobs.workers import fork  # noqa: PLC0415

    answers = fork(work, tasks, jobs)
    next(answers)
    return answers


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def can_fork() -> bool:
    """Whether this system can fork processes safely."""
    return hasattr(os, "fork") and sys.platform != "darwin"
