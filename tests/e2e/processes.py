"""Programs that run during a test, listen only on loopback, and end with it."""

import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, TypeVar

T = TypeVar("T")
LOOPBACK = "127.0.0.1"
ENDS_WITHIN, STARTS_WITHIN, STEP = 20, 180, 0.1  # seconds


def free_port() -> int:
    """A port of the loopback interface that nothing listens on."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
    return port


class Program(NamedTuple):
    """A running program, and the file with its output."""

    process: subprocess.Popen[bytes]
    log: Path

    def until(self, answer: Callable[[], T | None]) -> T:
        """The first true answer. Raises RuntimeError with the last output if the program ends before."""
        name = Path(str(self.process.args[0])).name if isinstance(self.process.args, list) else "program"
        until(lambda: answer() or self.process.poll() is not None, f"{name} is ready (see {self.log})")
        value = answer()
        if not value:
            raise RuntimeError(f"{name} ended: {self.log.read_text(errors='replace')[-2000:]}")
        return value


@contextmanager
def running(arguments: Sequence[str | Path], log: Path, env: Mapping[str, str] | None = None) -> Iterator[Program]:
    """A program that runs until the context ends, in any way. Its output goes to `log`."""
    with log.open("wb") as out:
        process = subprocess.Popen(
            [str(argument) for argument in arguments],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            env={**os.environ, **(env or {})},
            start_new_session=True,  # Ctrl-C is for the tests, which then end what they started, in order
        )
        try:
            yield Program(process, log)
        finally:
            process.terminate()
            try:
                process.wait(ENDS_WITHIN)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def until(answer: Callable[[], T | None], what: str, seconds: float = STARTS_WITHIN) -> T:
    """The first answer that is true; TimeoutError, with the last answer, when there is none in time."""
    deadline = time.monotonic() + seconds
    while not (last := answer()):
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what}: not within {seconds:.0f} s; the last answer: {last!r}")
        time.sleep(STEP)
    return last


def answers(url: str) -> bool:
    """Whether a server answers at this address without an error."""
    try:
        with urllib.request.urlopen(url, timeout=5) as response:
            return bool(response.status == 200)
    except (urllib.error.URLError, OSError):
        return False
