"""Work in several processes: same results in the same order, same failures, and no process left behind."""

import os
import signal
import subprocess
import sys
import time
from multiprocessing import active_children
from pathlib import Path

import pytest

from gitgpu.jobs import in_background, processes, shares, spread
from tests.helping.cases import for_each

ROOT = str(Path(__file__).parents[2])
forks = pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="processes are not forked here")


def python(program: str) -> "subprocess.Popen[str]":
    """A program in its own process group; under pytest-xdist this process has threads and should not fork."""
    return subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def answer(program: str) -> str:
    """The output of a program."""
    with python(program) as done:
        try:
            out, err = done.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            os.killpg(done.pid, signal.SIGKILL)
            raise
    assert not err, err
    return out.strip()


@for_each("amount", [0, 1, 2, 7, 8, 9, 1000])
@for_each("jobs", [1, 2, 4])
def test_shares_are_everything_once_and_in_order(amount: int, jobs: int) -> None:
    assert [at for start, end in shares(amount, jobs) for at in range(start, end)] == list(range(amount))
    assert len(shares(amount, 1)) <= 1


@pytest.fixture
def cores(monkeypatch: pytest.MonkeyPatch) -> int:
    """This process may fork, and has these cores of a machine with more."""
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(os, "fork", os.getpid, raising=False)
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {1, 2, 5} if pid == 0 else {1}, raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    return 3


def test_a_little_work_is_done_by_one_process(cores: int) -> None:
    assert [processes(None, amount, 10) for amount in (0, 9, 10, 11)] == [1, 1, cores, cores]


def test_as_many_processes_as_asked_for_whatever_the_work_is(cores: int) -> None:
    assert [processes(jobs, amount, 10) for jobs in (1, 2, 8) for amount in (0, 100)] == [1, 1, 2, 2, 8, 8]


@pytest.mark.parametrize(("count", "expected"), [(7, 7), (None, 1)])
def test_where_a_process_cannot_know_its_cores_it_uses_those_of_the_machine(
    monkeypatch: pytest.MonkeyPatch, cores: int, count: int | None, expected: int
) -> None:
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: count)
    assert processes(None, 10, 10) == expected


@pytest.mark.parametrize("system", ["macOS", "Windows"])
def test_without_forks_one_process_does_everything(monkeypatch: pytest.MonkeyPatch, cores: int, system: str) -> None:
    if system == "macOS":
        monkeypatch.setattr(sys, "platform", "darwin")
    else:
        monkeypatch.delattr(os, "fork")
    assert processes(None, 10, 10) == 1
    assert spread(lambda _: os.getpid(), range(4), 4) == [os.getpid()] * 4
    assert list(in_background(os.getpid, at_once=True)) == [os.getpid()]


def test_one_job_starts_no_process() -> None:
    assert spread(lambda task: (task, os.getpid()), [1, 2], 1) == [(1, os.getpid()), (2, os.getpid())]
    assert not active_children()


def test_work_that_does_not_begin_at_once_is_done_here_when_its_result_is_read() -> None:
    done: list[int] = []
    work = in_background(lambda: done.append(1), at_once=False)
    assert done == []
    assert list(work) == [None]
    assert done == [1]


@forks
def test_work_beside_this_process_is_done_by_another_one_from_the_beginning() -> None:
    program = (
        "import os\nfrom gitgpu.jobs import in_background\n"
        "read, write = os.pipe()\n"
        "def work():\n os.write(write, b'begun')\n return os.getpid()\n"
        "found = in_background(work, at_once=True)\n"
        "print(os.read(read, 5), os.getpid() in list(found))\n"
        "def failing(): raise KeyError('x')\n"
        "try: list(in_background(failing, at_once=True))\n"
        "except KeyError as error: print(error)"
    )
    assert answer(program) == "b'begun' False\n'x'"


@forks
@pytest.mark.parametrize(
    ("system", "sleeps"),
    [
        pytest.param("", 0, marks=pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="it is only on Linux")),
        ("del os.pidfd_open", 1),
        ("def pidfd_open(pid): raise OSError\nos.pidfd_open = pidfd_open", 1),  # an old kernel
    ],
    ids=["Linux", "another system", "old kernel"],
)
def test_work_beside_this_process_ends_when_nothing_waits_for_it(system: str, sleeps: int) -> None:
    """This process sleeps meanwhile only if the system cannot say when a process ends."""
    if system.startswith("del") and not hasattr(os, "pidfd_open"):
        system = ""
    program = (
        "import os, time\nfrom gitgpu.jobs import in_background\n"
        f"{system}\n"
        "work = in_background(lambda: time.sleep(600), at_once=True)\n"
        "sleep, slept = time.sleep, []\n"
        "def counted(seconds):\n slept.append(seconds)\n sleep(seconds)\n"
        "time.sleep = counted\n"
        "work.close()\n"
        f"print(bool(slept) is {bool(sleeps)})\n"
        "try: os.waitpid(-1, 0)\n"
        "except ChildProcessError: print('none')"
    )
    assert answer(program) == "True\nnone"


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
        "import os\nfrom gitgpu.jobs import in_background, spread\n"
        "fork, started = os.fork, []\n"
        "def counted():\n started.append(1)\n return fork()\n"
        "os.fork = counted\n"
        "def workers(tasks, jobs):\n"
        " started.clear()\n"
        " here = os.getpid() in spread(lambda _: os.getpid(), range(tasks), jobs)\n"
        " return len(started), here\n"
        "print([workers(*each) for each in ((1, 4), (2, 1), (2, 2), (2, 8), (8, 3))])\n"
        "started.clear()\n"
        "print(list(in_background(lambda: 5, at_once=True)), len(started))"
    )
    sharing, another = answer(program).splitlines()
    assert sharing == "[(0, True), (0, True), (2, False), (2, False), (3, False)]"
    assert another == "[5] 1"


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
def test_of_an_exception_that_cannot_be_sent_the_text_is_raised_here() -> None:
    program = (
        "from gitgpu.jobs import spread\n"
        "def work(at): raise ValueError('three', lambda: at)\n"
        "try: spread(work, range(2), 2)\n"
        "except RuntimeError as error: print(str(error).partition('<')[0])"
    )
    assert answer(program) == "ValueError: ('three',"


@forks
def test_a_worker_that_is_killed_is_an_error_and_nothing_waits_for_it() -> None:
    program = (
        "import os, signal\nfrom gitgpu.jobs import spread\n"
        "def work(at):\n if at == 3: os.kill(os.getpid(), signal.SIGKILL)\n return at\n"
        "try: spread(work, range(8), 2)\n"
        "except OSError as error: print(error)"
    )
    assert answer(program) == "a worker process was killed; --jobs 1 uses a single process"


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
@pytest.mark.parametrize("is_terminal", [False, True])
def test_a_worker_that_misses_a_signal_is_stopped_too(*, is_terminal: bool) -> None:
    """It cleans up undisturbed, even if the worker gets Ctrl-C too, which a terminal sends to all processes."""
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
        if is_terminal:
            os.killpg(running.pid, signal.SIGINT)
        else:
            running.send_signal(signal.SIGINT)
        assert running.wait(120) == 130
        assert running.stdout.read() == "cleaned\n" * 2


def _runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"  # no process may be left to reap it


@for_each(
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


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the files of a process are listed in /proc")
@pytest.mark.parametrize("ended", ["list(found)", "next(found); found.close()", "found.close()"])
def test_no_pipe_and_no_process_is_left(ended: str) -> None:
    program = (
        "import os, time\nfrom gitgpu.jobs import results\n"
        "before = os.listdir('/proc/self/fd')\n"
        "def work(at): time.sleep(0.3 if at == 7 else 0)\n"  # the other worker ends before
        "found = results(work, range(8), 2)\n"
        f"{ended}\n"
        "print(os.listdir('/proc/self/fd') == before)\n"
        "try: print(os.waitpid(-1, 0))\n"
        "except ChildProcessError: print('none')"
    )
    assert answer(program) == "True\nnone"


@forks
def test_workers_that_take_long_to_end_are_waited_for() -> None:
    program = (
        "import os, time\nfrom gitgpu.jobs import spread\n"
        "leave = os._exit\n"
        "def slowly(status):\n time.sleep(0.3)\n leave(status)\n"
        "os._exit = slowly\n"
        "def work(at):\n time.sleep(1 if at == 0 else 0)\n return at\n"  # one worker ends before the other
        "print(spread(work, range(4), 2))\n"
        "try: print(os.waitpid(-1, os.WNOHANG))\n"
        "except ChildProcessError: print('none')"
    )
    assert answer(program) == "[0, 1, 2, 3]\nnone"


@forks
def test_workers_whose_results_are_not_read_are_stopped_too() -> None:
    """The results are more than the pipes take, so the workers wait in the middle of one."""
    program = (
        "import time\nfrom gitgpu.jobs import results\n"
        "found = results(lambda at: 'x' * 4000, range(1000), 2)\n"
        "print(len(next(found)))\ntime.sleep(0.5)\nfound.close()"
    )
    assert answer(program) == "4000"


@forks
def test_a_result_can_be_read_while_its_worker_does_the_next_task(tmp_path: Path) -> None:
    program = f"""
import os, time
from gitgpu.jobs import results
def work(at):
    for _ in range(1000 if at else 0):
        if os.path.exists({str(tmp_path / "read")!r}):
            return True
        time.sleep(0.01)
    return at == 0
answers = results(work, range(3), 2)
first = next(answers)
open({str(tmp_path / "read")!r}, "w").close()
print(first, *answers)
"""
    assert answer(program) == "True True True"


@forks
def test_more_tasks_than_a_pipe_takes_numbers() -> None:
    program = "from gitgpu.jobs import spread\nprint(spread(lambda at: at, range(40_000), 2) == [*range(40_000)])"
    assert answer(program) == "True"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="pipes cannot be widened elsewhere")
def test_workers_go_on_while_their_results_are_not_read(tmp_path: Path) -> None:
    """Each result is larger than the buffer of a pipe."""
    program = f"""
import os, time
from gitgpu.jobs import results
def work(at):
    open({str(tmp_path)!r} + f"/{{at}}", "w").close()
    return "x" * 100_000
found = results(work, range(4), 2)
while len(os.listdir({str(tmp_path)!r})) < 4:
    time.sleep(0.01)
print(sum(map(len, found)))
"""
    assert answer(program) == "400000"
