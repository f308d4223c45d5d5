"""Work in several processes: same results in the same order, same failures, and no process left behind."""

import os
import signal
import subprocess
import sys
import time
from multiprocessing import active_children
from pathlib import Path

import pytest

from gitgpu.jobs import beside, shares, spread, usual

ROOT = str(Path(__file__).parents[2])
forks = pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="processes are not forked here")


def python(program: str) -> "subprocess.Popen[str]":
    """A program in a process group of its own; under pytest-xdist this process has threads and should not fork."""
    return subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def answer(program: str) -> str:
    """What a program writes."""
    with python(program) as done:
        out, err = done.communicate(timeout=120)
    assert not err, err
    return out.strip()


@pytest.mark.parametrize("amount", [0, 1, 2, 7, 8, 9, 1000])
@pytest.mark.parametrize("jobs", [1, 2, 4])
def test_shares_are_everything_once_and_in_order(amount: int, jobs: int) -> None:
    assert [at for start, end in shares(amount, jobs) for at in range(start, end)] == list(range(amount))
    assert len(shares(amount, 1)) <= 1


def test_a_little_work_is_done_by_one_process() -> None:
    assert usual(9, 10) == 1
    assert usual(10, 10) >= 1


def test_one_job_starts_no_process() -> None:
    assert spread(lambda task: (task, os.getpid()), [1, 2], 1) == [(1, os.getpid()), (2, os.getpid())]
    assert not active_children()


def test_with_one_job_work_beside_this_process_begins_when_its_result_is_read() -> None:
    done: list[int] = []
    work = beside(lambda: done.append(1), 1)
    assert done == []
    assert list(work) == [None]
    assert done == [1]


@forks
def test_work_beside_this_process_is_done_by_another_one_from_the_beginning() -> None:
    program = (
        "import os\nfrom gitgpu.jobs import beside\n"
        "read, write = os.pipe()\n"
        "def work():\n os.write(write, b'begun')\n return os.getpid()\n"
        "found = beside(work, 2)\n"
        "print(os.read(read, 5), os.getpid() in list(found))\n"
        "def failing(): raise KeyError('x')\n"
        "try: list(beside(failing, 2))\n"
        "except KeyError as error: print(error)"
    )
    assert answer(program) == "b'begun' False\n'x'"


@forks
def test_work_beside_this_process_ends_when_nothing_waits_for_it() -> None:
    program = (
        "import os, time\nfrom gitgpu.jobs import beside\n"
        "work = beside(lambda: time.sleep(600), 2)\n"
        "work.close()\n"
        "try: os.waitpid(-1, 0)\n"
        "except ChildProcessError: print('none')"
    )
    assert answer(program) == "none"


@forks
def test_results_come_in_order_and_from_other_processes() -> None:
    program = (
        "import os, time\nfrom gitgpu.jobs import spread\n"
        "def work(at):\n time.sleep(0.2 if at == 0 else 0)\n return at, os.getpid()\n"
        "found = spread(work, range(8), 4)\n"
        "print([at for at, _ in found] == list(range(8)), os.getpid() in {pid for _, pid in found})"
    )
    assert answer(program) == "True False"


@forks
def test_how_many_processes_are_started() -> None:
    program = (
        "import os\nfrom gitgpu.jobs import spread, usual\n"
        "fork, started = os.fork, []\n"
        "def counted():\n started.append(1)\n return fork()\n"
        "os.fork = counted\n"
        "def workers(tasks, jobs):\n"
        " started.clear()\n"
        " here = os.getpid() in spread(lambda _: os.getpid(), range(tasks), jobs)\n"
        " return len(started), here\n"
        "print([workers(*each) for each in ((1, 4), (2, 1), (2, 2), (2, 8), (8, 3))])\n"
        "cores = len(os.sched_getaffinity(0)) if hasattr(os, 'sched_getaffinity') else os.cpu_count()\n"
        "print(usual(9, 10), usual(10, 10) == cores, usual(11, 10) == cores)"
    )
    first, second = answer(program).splitlines()
    assert first == "[(0, True), (0, True), (2, False), (2, False), (3, False)]"
    assert second == "1 True True"


@forks
def test_an_exception_of_a_task_is_raised_here() -> None:
    program = (
        "from multiprocessing import active_children\nfrom gitgpu.jobs import spread\n"
        "def work(at):\n if at == 3: raise KeyError('three')\n return at\n"
        "try: spread(work, range(8), 4)\n"
        "except KeyError as error: print(error, active_children())"
    )
    assert answer(program) == "'three' []"


@forks
def test_a_worker_that_is_killed_is_an_error_and_nothing_waits_for_it() -> None:
    program = (
        "import os, signal\nfrom gitgpu.jobs import spread\n"
        "def work(at):\n if at == 3: os.kill(os.getpid(), signal.SIGKILL)\n return at\n"
        "try: spread(work, range(8), 2)\n"
        "except OSError as error: print(error)"
    )
    assert answer(program) == "a worker process was killed; --jobs 1 does everything in one process"


@forks
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_worker_outlives_the_process_that_started_it(number: signal.Signals) -> None:
    program = (
        "import os, signal, time\nfrom gitgpu.jobs import spread\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # which a run in the background ignores
        "def work(at):\n os.write(1, b'%d\\n' % os.getpid())\n time.sleep(600)\n"
        "try: spread(work, range(2), 2)\n"
        "except KeyboardInterrupt: os._exit(130)"
    )
    with python(program) as running:
        assert running.stdout
        workers = [int(running.stdout.readline()) for _ in range(2)]
        if number is signal.SIGINT:
            os.killpg(running.pid, number)  # as a terminal does
        else:
            running.send_signal(number)
        assert running.wait(60) == (130 if number is signal.SIGINT else -number)
    for _ in range(600):
        if not any(map(_runs, workers)):
            break
        time.sleep(0.1)
    assert [pid for pid in workers if _runs(pid)] == []


@forks
def test_a_worker_that_misses_a_signal_is_stopped_too() -> None:
    program = (
        "import os, signal, time\nfrom gitgpu.jobs import spread\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "def work(at):\n"
        " before = signal.signal(signal.SIGTERM, signal.SIG_IGN)\n os.write(1, b'ready\\n')\n time.sleep(0.5)\n"
        " signal.signal(signal.SIGTERM, before)\n"
        " try: time.sleep(600)\n"
        " finally: time.sleep(0.2); os.write(1, b'cleaned\\n')\n"
        "try: spread(work, range(2), 2)\n"
        "except KeyboardInterrupt: os._exit(130)"
    )
    with python(program) as running:
        assert running.stdout
        assert [running.stdout.readline() for _ in range(2)] == ["ready\n"] * 2
        running.send_signal(signal.SIGINT)
        assert running.wait(120) == 130
        assert running.stdout.read() == "cleaned\n" * 2


def _runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"  # nobody may be there to collect it


@pytest.mark.parametrize(
    ("amount", "jobs", "largest", "sizes"),
    [
        (0, 4, None, []),
        (3, 4, None, [1, 1, 1]),
        (16, 2, None, [2] * 8),  # four parts for each process
        (18, 2, None, [2, 2, 2, 3, 2, 2, 2, 3]),
        (500, 1, None, [500]),
        (500, 1, 250, [250, 250]),
        (501, 1, 250, [167, 167, 167]),
        (4000, 2, 250, [250] * 16),
        (40, 2, 250, [5] * 8),
    ],
)
def test_the_sizes_of_shares(amount: int, jobs: int, largest: int | None, sizes: list[int]) -> None:
    assert [end - start for start, end in shares(amount, jobs, largest)] == sizes


@forks
def test_a_worker_that_is_stopped_cleans_up_first(tmp_path: Path) -> None:
    program = f"""
import os, time
from gitgpu.jobs import spread
def work(task):
    if task:
        while not os.path.exists({str(tmp_path / "temporary")!r}):
            time.sleep(0.01)
        raise ValueError
    try:
        open({str(tmp_path / "temporary")!r}, "w").close()
        time.sleep(100)
    finally:
        os.unlink({str(tmp_path / "temporary")!r})
try:
    spread(work, [1, 0], 2)
except ValueError:
    print(os.path.exists({str(tmp_path / "temporary")!r}))
"""
    assert answer(program) == "False"
