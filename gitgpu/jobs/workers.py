"""The worker processes: forks that read the numbers of parts from one pipe, and send results through another."""

import os
import pickle
import select
import signal
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from struct import Struct
from threading import Thread
from typing import Any, TypeVar

Result = TypeVar("Result")
Task = TypeVar("Task")

_QUEUED = 1024  # the most parts: their numbers fit into a pipe together
_NUMBER = Struct("=H")  # of a part
_HEAD = Struct("=HQ")  # before an answer: the number of its part, and its length in bytes
_AGAIN = 0.05  # seconds until a signal is sent again
_SIGNALS = 40  # the most signals after which a process may clean up; then it is killed
_AT_ONCE = 65_536  # bytes: the default capacity of a pipe on Linux
_LARGEST_PIPE = "/proc/sys/fs/pipe-max-size"  # bytes that users who are not root can set, on Linux


def fork(work: Callable[[Task], Result], tasks: Sequence[Task], jobs: int) -> Generator[Result, None, None]:
    """Yields None when the workers have started, then the results."""
    # The pool of the standard library takes 35 ms longer: it has to be imported, and to start its threads.
    parts = min(len(tasks), _QUEUED)
    bounds = [(len(tasks) * at // parts, len(tasks) * (at + 1) // parts) for at in range(parts)]
    queue, queue_writer = os.pipe()  # the numbers of the parts: each free worker reads the next one
    os.write(queue_writer, b"".join(map(_NUMBER.pack, range(parts))))
    os.close(queue_writer)
    alive, alive_writer = os.pipe()  # never written to: it ends when this process ends, and workers notice
    workers: dict[int, int] = {}  # the process of each worker, by the pipe of its results
    try:
        for _ in range(jobs):
            _start(lambda at: [work(task) for task in tasks[slice(*bounds[at])]], (queue, alive, alive_writer), workers)
        yield None  # type: ignore[misc]  # the workers have started
        for results in _in_order(workers, parts):
            yield from results
    except BaseException:  # of a task, of this process, or because the results are not read to their end
        _stop(workers)
        raise
    finally:
        for pipe, pid in workers.items():
            os.close(pipe)
            os.waitpid(pid, 0)
        for end in (queue, alive, alive_writer):  # last: at the end of `alive`, a worker stops without cleaning up
            os.close(end)


def widen(pipe: int) -> None:
    """Lets the writer of a pipe continue while nothing reads it. This is only possible on Linux."""
    with suppress(ImportError, OSError):
        from fcntl import F_SETPIPE_SZ, fcntl  # noqa: PLC0415  Windows has no such module

        with open(_LARGEST_PIPE, "rb") as largest:
            fcntl(pipe, F_SETPIPE_SZ, int(largest.read()))


def _stop(workers: dict[int, int]) -> None:
    """Ends the workers before they have done all parts, and removes them."""
    for pipe in workers:  # first, so that no worker waits for its answer to be read
        os.close(pipe)
    left = [*workers.values()]
    workers.clear()
    sent = 0
    while left:
        # Python drops what a handler raises in a destructor or a callback: that process would never end.
        for pid in left:
            os.kill(pid, signal.SIGTERM if sent < _SIGNALS else signal.SIGKILL)
        left = _running_later(left)  # Python misses a signal just before a system call
        sent += 1


def _running_later(pids: Sequence[int]) -> list[int]:
    """The processes that still run when it is time to send the signal again. Returns before that if there are none."""
    until = time.monotonic() + _AGAIN
    for pid in pids:
        _await_end(pid, max(0, until - time.monotonic()))
    return [pid for pid in pids if os.waitpid(pid, os.WNOHANG) == (0, 0)]


def _await_end(pid: int, seconds: float) -> None:
    """Waits until a process has ended, at most for some seconds."""
    try:
        process = os.pidfd_open(pid)
    except (AttributeError, OSError):  # only Linux has it, as of 5.3
        time.sleep(seconds)
        return
    try:
        poller = select.poll()
        poller.register(process, select.POLLIN)
        poller.poll(seconds * 1000)
    finally:
        os.close(process)


def _start(work: Callable[[int], Any], ends: tuple[int, int, int], workers: dict[int, int]) -> None:
    """Starts a worker."""
    queue, alive, alive_writer = ends
    results, own = os.pipe()
    widen(own)
    try:
        pid = os.fork()
    except OSError:
        os.close(results)
        os.close(own)
        raise
    if pid:
        os.close(own)
        workers[results] = pid
        return
    try:  # the callers of this function must only go on in the parent process
        for end in (alive_writer, results, *workers):  # what this process inherits would keep the pipes of others open
            os.close(end)
        _handle_signals(alive)
        _serve(work, queue, own)
        os._exit(os.EX_OK)
    finally:
        os._exit(os.EX_SOFTWARE)


def _handle_signals(alive: int) -> None:
    # A terminal sends Ctrl-C to all processes. The parent handles it, and ends the workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _exit)  # a task that writes removes its temporary file first
    # If the new thread received the signal, a system call of the main thread would not be interrupted.
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    Thread(target=_end_with_parent, args=(alive,)).start()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])


def _serve(work: Callable[[int], Any], queue: int, results: int) -> None:
    """Does the parts whose numbers it reads from the queue, and writes the answers to the pipe of results."""
    with open(results, "wb") as file:
        while number := os.read(queue, _NUMBER.size):
            [at] = _NUMBER.unpack(number)
            answer = _answer(work, at)
            file.write(_HEAD.pack(at, len(answer)) + answer)
            file.flush()


def _exit(_number: int, _frame: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second signal must not interrupt the cleanup
    raise SystemExit


def _answer(work: Callable[[int], Any], at: int) -> bytes:
    """The pickled result of a task, or the exception that it raised."""
    try:
        return pickle.dumps((work(at), None))
    except Exception as error:  # noqa: BLE001  raised again in the process that waits
        try:
            return pickle.dumps((None, error))
        except Exception:  # noqa: BLE001  the exception contains something that cannot be pickled
            return pickle.dumps((None, RuntimeError(f"{type(error).__name__}: {error}")))


def _end_with_parent(alive: int) -> None:
    os.read(alive, 1)
    os._exit(os.EX_SOFTWARE)


def _in_order(workers: dict[int, int], parts: int) -> Iterator[Any]:
    """The results of the parts, in order."""
    waiting: dict[int, Any] = {}
    received = _received(workers)
    for index in range(parts):
        while index not in waiting:
            number, answer = next(received)
            waiting[number] = pickle.loads(answer)  # noqa: S301  our own workers wrote it
        result, error = waiting.pop(index)
        if error:
            raise error
        yield result


def _received(workers: dict[int, int]) -> Iterator[tuple[int, bytes]]:
    """The answers of all workers as they arrive, each with the number of its part. Ended workers are removed."""
    poller = select.poll()
    read = {pipe: bytearray() for pipe in workers}
    for pipe in read:
        poller.register(pipe, select.POLLIN)
    while True:
        for pipe, _ in poller.poll():
            more = os.read(pipe, _AT_ONCE)
            if not more:
                poller.unregister(pipe)
                os.close(pipe)
                _, status = os.waitpid(workers.pop(pipe), 0)
                if status:
                    raise ChildProcessError("a worker process was killed; --jobs 1 uses a single process")
            read[pipe] += more
            yield from _complete(read[pipe])


def _complete(read: bytearray) -> Iterator[tuple[int, bytes]]:
    """The complete answers, which are removed from the buffer."""
    while len(read) >= _HEAD.size:
        number, length = _HEAD.unpack_from(read)
        end = _HEAD.size + length
        if len(read) < end:
            return
        yield number, bytes(read[_HEAD.size : end])
        del read[:end]
