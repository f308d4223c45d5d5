"""A worker process that starts before its tasks are known, and prepares for them meanwhile."""

import os
import pickle
from collections.abc import Callable
from contextlib import suppress
from threading import active_count
from typing import Any, Generic, TypeVar

from gitgpu.jobs import can_fork, cores
from gitgpu.jobs.workers import forked, widen

Result = TypeVar("Result")
Task = TypeVar("Task")


def is_useful(jobs: int | None) -> bool:
    """Whether such a worker can start safely, and does something that this process would do later.

    If the user says how many `jobs` there are, none is started. A process with threads should not fork.
    """
    return jobs is None and cores() > 1 and can_fork() and active_count() == 1


class PreparedWorker(Generic[Task, Result]):
    """Another process. It calls `prepare` at once, and then what this returned for each task that it is given.

    Read the results, or close it. An exception of the worker is raised by `results`.
    """

    def __init__(self, prepare: Callable[[], Callable[[Task], Result]]) -> None:
        tasks, own = os.pipe()
        self._tasks = os.fdopen(own, "wb")
        widen(own)

        def work(_: None) -> list[Result]:
            do, results = prepare(), []
            with os.fdopen(tasks, "rb") as file:
                while task := pickle.load(file):  # noqa: S301  our own process wrote it
                    results.append(do(*task))
            return results

        self._answers = forked(work, (None,), 1)
        next(self._answers)
        os.close(tasks)

    def give(self, task: Task) -> None:
        """Sends a task. The worker begins with it when it is prepared, and has done those before it."""
        self._send((task,))

    def results(self) -> list[Result]:
        """The results of all tasks, in order."""
        self._send(())
        [results] = self._answers
        return results

    def close(self) -> None:
        """Ends the worker, whatever it is doing."""
        self._answers.close()
        with suppress(BrokenPipeError):
            self._tasks.close()

    def _send(self, message: tuple[Any, ...]) -> None:
        # If the worker has ended, `results` says why.
        with suppress(BrokenPipeError):
            pickle.dump(message, self._tasks)
            self._tasks.flush()
