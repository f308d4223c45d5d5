"""A process that prepares for tasks which are not known yet."""

import os
import sys
from threading import Event, Thread

import pytest

from gitgpu.jobs.prepared import is_useful
from tests.jobs.test_jobs import answer, forks

BEGIN = "import os, signal, time\nfrom gitgpu.jobs.prepared import PreparedWorker\n"


@forks
def test_it_prepares_before_it_has_a_task_and_does_the_tasks_in_order() -> None:
    program = BEGIN + (
        "read, write = os.pipe()\n"
        "def prepare():\n"
        " os.write(write, b'ready')\n"
        " return lambda task: (task, os.getpid())\n"
        "worker = PreparedWorker(prepare)\n"
        "print(os.read(read, 5))\n"
        "for task in ('a', (), None, 'b'): worker.give(task)\n"
        "tasks, processes = zip(*worker.results())\n"
        "print(tasks, len(set(processes)), os.getpid() in processes)\n"
        "worker.close()"
    )
    assert answer(program) == "b'ready'\n('a', (), None, 'b') 1 False"


@forks
def test_it_takes_tasks_that_are_larger_than_a_pipe() -> None:
    program = BEGIN + (
        "worker = PreparedWorker(lambda: len)\nfor size in (10**7, 3): worker.give('x' * size)\nprint(worker.results())"
    )
    assert answer(program) == "[10000000, 3]"


@forks
@pytest.mark.parametrize("where", ["prepare", "task"])
def test_its_exception_is_raised_with_the_results(where: str) -> None:
    program = BEGIN + (
        "def fail(*_): raise KeyError('x')\n"
        f"worker = PreparedWorker({'fail' if where == 'prepare' else 'lambda: fail'})\n"
        "for _ in range(9):\n worker.give('x' * 10**6)\n time.sleep(0.01)\n"
        "try: worker.results()\n"
        "except KeyError as error: print(error)\n"
        "worker.close()"
    )
    assert answer(program) == "'x'"


@forks
def test_if_it_is_killed_its_results_are_an_error() -> None:
    program = BEGIN + (
        "worker = PreparedWorker(lambda: lambda _: os.kill(os.getpid(), signal.SIGKILL))\n"
        "worker.give(1)\n"
        "try: worker.results()\n"
        "except ChildProcessError as error: print(error)\n"
        "worker.close()"
    )
    assert answer(program) == "a worker process was killed; --jobs 1 uses a single process"


@forks
@pytest.mark.parametrize("task", ["", "worker.give(1)\n"])
def test_closing_ends_it_in_the_middle_of_a_task(task: str) -> None:
    program = BEGIN + (
        "worker = PreparedWorker(lambda: lambda _: time.sleep(600))\n"
        f"{task}"
        "worker.close()\n"
        "worker.close()\n"
        "try: os.waitpid(-1, 0)\n"
        "except ChildProcessError: print('none')"
    )
    assert answer(program) == "none"


@forks
def test_closing_ends_it_even_if_it_loses_the_exception_of_the_signal() -> None:
    program = BEGIN + (
        "read, write = os.pipe()\n"
        "def work(_):\n"
        " os.write(write, b'x')\n"
        " while True:\n"
        "  try: time.sleep(600)\n"
        "  except BaseException: pass\n"
        "worker = PreparedWorker(lambda: work)\n"
        "worker.give(1)\n"
        "os.read(read, 1)\n"
        "worker.close()\n"
        "try: os.waitpid(-1, 0)\n"
        "except ChildProcessError: print('none')"
    )
    assert answer(program) == "none"


@forks
def test_where_no_more_processes_are_allowed_none_is_started() -> None:
    program = BEGIN + (
        "from gitgpu.jobs import prepared\n"
        "prepared.is_useful = lambda jobs: True\n"
        "before = os.listdir('/proc/self/fd') if os.path.isdir('/proc/self/fd') else []\n"
        "fork = os.fork\n"
        "def refuse(): raise BlockingIOError\n"
        "os.fork = refuse\n"
        "print(prepared.start_worker(lambda: len))\n"
        "print(len(before) == len(os.listdir('/proc/self/fd') if before else []))\n"
        "os.fork = fork\n"
        "worker = prepared.start_worker(lambda: len)\n"
        "worker.give('abc')\n"
        "print(worker.results())"
    )
    assert answer(program) == "None\nTrue\n[3]"


@pytest.mark.parametrize(
    ("jobs", "cores", "system", "expected"),
    [
        (None, {1, 2}, "linux", True),
        (None, {1}, "linux", False),
        (1, {1, 2}, "linux", False),
        (2, {1, 2}, "linux", False),
        (None, {1, 2}, "darwin", False),
    ],
)
def test_when_one_is_started(
    monkeypatch: pytest.MonkeyPatch, jobs: int | None, cores: set[int], system: str, *, expected: bool
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(os, "fork", os.getpid, raising=False)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: cores, raising=False)
    monkeypatch.setattr("gitgpu.jobs.prepared.active_count", lambda: 1)
    assert is_useful(jobs) is expected


def test_none_is_started_by_a_process_with_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {1, 2}, raising=False)
    done = Event()
    thread = Thread(target=done.wait)
    thread.start()
    assert not is_useful(None)
    done.set()
    thread.join()
