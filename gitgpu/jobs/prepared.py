"""A worker process that starts before its tasks are known, and prepares for them meanwhile."""

import os
import pickle
from collections.abc import Callable
from contextlib import suppress
from threading import active_count
from typing import Any, Generic, TypeVar

from gitgpu.jobs import can_fork, cores
from gitgpu.jobs.workers import fork, widen

Result = TypeVar("Result")
Task = TypeVar("Task")


class PreparedWorker(Generic[Task, Result]):
    """Another process. It calls `prepare` at once, and then what this returned for each task that it is given.

    Read the results, or close it. An exception of the worker is raised by `results`.
    """

    def __init__(self, prepare: Callable[[], Callable[[Task], Result]]) -> None:
        tasks, own = os.pipe()
        self._tasks = os.fdopen(own, "wb")
        widen(own)

        def work(_: None) -> list[Result]:
            self._tasks.close()  # its copy: the end that the other process has is the only one
            do, results = prepare(), []
            with os.fdopen(tasks, "rb") as file:
                while task := pickle.load(file):  # noqa: S301  our own process wrote it
                    results.append(do(*task))
            return results

        self._answers = fork(work, (None,), 1)
        try:
            next(self._answers)
        except BaseException:
            self._tasks.close()
            raise
        finally:
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
        """Ends the worker, even in the middle of a task."""
        self._answers.close()
        with suppress(BrokenPipeError):
            self._tasks.close()

    def _send(self, message: tuple[Any, ...]) -> None:
        # If the worker has ended, `results` says why.
        with suppress(BrokenPipeError):
            pickle.dump(message, self._tasks)
            self._tasks.flush()


def start_worker(
    prepare: Callable[[], Callable[[Task], Result]], jobs: int | None = None
) -> PreparedWorker[Task, Result] | None:
    """Starts a worker. None if there is only one core, or the system does not allow another process.

    If the user says how many `jobs` there are, none is started.
    """
    if not is_useful(jobs):
        return None
    try:
        return PreparedWorker(prepare)
    except OSError:  # the limit of processes or of memory
        return None


def is_useful(jobs: int | None) -> bool:
    """Whether a worker can start safely, and does something that this process would do later."""
    # A process with threads should not fork.
    return jobs is None and cores() > 1 and can_fork() and active_count() == 1
