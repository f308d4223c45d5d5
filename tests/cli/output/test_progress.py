"""A command that works for more than a second says so on a terminal, and only there."""

import os
import pty
import re
import subprocess
import sys
from collections.abc import Mapping
from typing import NamedTuple

import pytest

from gitgpu.cli.output import progress
from gitgpu.cli.output.progress import Line

# Works until the line is there, in pieces, so that no time is measured.
PROGRAM = """
import sys, time
from gitgpu.cli.output.progress import progress
written = []
real = sys.stderr.write
sys.stderr.write = lambda text: (written.append(text), real(text))[1]
with progress("building", "cluster") as count:
    for done in range(int(sys.argv[1])):
        count(done + 1200, 5000)
        if written:
            break
        time.sleep(0.05)
sys.stderr.write = real
print("done", file=sys.stderr)
"""


class Running(NamedTuple):
    """The program, and what it writes to: a terminal."""

    process: "subprocess.Popen[bytes]"
    terminal: int

    def shown(self) -> str:
        """What the terminal gets on stderr."""
        status = self.process.wait(timeout=60)
        text = os.read(self.terminal, 10_000).decode()
        os.close(self.terminal)
        assert status == 0, text
        return text


def start(rounds: int, environment: Mapping[str, str], program: str = PROGRAM) -> Running:
    """Starts the program in a terminal."""
    ours, theirs = pty.openpty()
    variables = {key: value for key, value in os.environ.items() if key not in ("CI", "TERM")}
    variables.update(environment)
    process = subprocess.Popen([sys.executable, "-c", program, str(rounds)], stderr=theirs, env=variables)
    os.close(theirs)
    return Running(process, ours)


def test_long_work_has_a_line_that_is_erased() -> None:
    text = start(600, {"TERM": "xterm"}).shown()
    assert re.match(r"\r\x1b\[Kbuilding 1,2\d\d of 5,000 clusters: 1 s", text)
    assert text.endswith("\r\x1b[Kdone\r\n")


def test_short_work_writes_nothing() -> None:
    assert start(0, {"TERM": "xterm"}).shown() == "done\r\n"


def test_programs_and_pipes_get_no_progress() -> None:
    environments: list[dict[str, str]] = [{"TERM": "dumb"}, {}, {"TERM": "xterm", "CI": "true"}]
    running = [start(30, environment) for environment in environments]
    command = [sys.executable, "-c", PROGRAM, "30"]
    variables = {key: value for key, value in os.environ.items() if key != "CI"} | {"TERM": "xterm"}
    done = subprocess.run(command, capture_output=True, text=True, env=variables, check=False, timeout=60)
    assert done.stderr == "done\n"
    assert [each.shown() for each in running] == ["done\r\n"] * 3


def test_parts_of_the_work_have_their_own_words() -> None:
    line = Line("linting", "object")
    line.of("reading", "file")(0, 1)
    assert line.text == "reading 0 of 1 file"
    line.of("reading", "file")(1, 1)
    assert line.text == "linting"
    line(1_200, 5_000)
    assert line.text == "linting 1,200 of 5,000 objects"


def test_other_output_does_not_follow_the_line() -> None:
    """Such as what a build says about the files that it has written."""
    echo = """
import sys, time
import click
from gitgpu.cli.output.progress import progress
from gitgpu.cli.output.streams import note
with click.Context(click.Command("x")), progress("building") as line:
    while not line.is_shown:
        time.sleep(0.05)
    note("25 written")
"""
    text = start(0, {"TERM": "xterm"}, echo).shown()
    assert re.fullmatch(r"\r\x1b\[Kbuilding: 1 s\r\x1b\[K25 written\r\n(.*\r\x1b\[K)?", text)


def test_a_line_is_shorter_than_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    monkeypatch.setattr(progress, "columns", lambda _stream: 20)
    monkeypatch.setattr(sys.stderr, "write", written.append)
    line = Line("building", "cluster")
    line(312, 1_000)
    line.show(4)
    assert written == ["\r\x1b[Kbuilding 312 of ..."]
    assert len("building 312 of ...") == 19
