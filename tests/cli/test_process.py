"""The program as a process: signals, pipes, closed and full outputs, exit statuses."""

import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.cli.fleets import BROKEN, SOUND, WARNED, write

PROGRAM = [sys.executable, "-m", "gitgpu"]
ROOT = Path(__file__).parents[2]
SECONDS = 120  # even on a busy machine, only a program that hangs takes this long


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.delenv("GITGPU_DEBUG", raising=False)


def program(*arguments: str, shell: str = "") -> subprocess.CompletedProcess[str]:
    """Runs the program; in a shell if `shell` is the rest of its command line."""
    words = ["sh", "-c", f'"$@" {shell}', "sh", *PROGRAM, *arguments] if shell else [*PROGRAM, *arguments]
    ran = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert "Traceback" not in ran.stdout + ran.stderr
    assert "internal error" not in ran.stderr
    return ran


def test_the_exit_status_is_that_of_the_run() -> None:
    write(SOUND)
    assert program("build").returncode == 0
    assert program("build", "--check").returncode == 0
    write(BROKEN)
    broken = program("validate")
    assert broken.returncode == 1
    assert broken.stdout.startswith("fleet.yaml:14:19: error[LNK004]")
    assert program("validate", "nope").returncode == 2
    assert program("frobnicate").returncode == 2


def _heeds_interrupts() -> None:
    """Restores SIGINT, which the tests and their children ignore if a shell starts them in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("command", ["validate", "build"])
def test_an_interrupted_run_ends_with_130(command: str) -> None:
    os.mkfifo("pipe")
    process = subprocess.Popen(
        [*PROGRAM, command, "pipe"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_heeds_interrupts,  # noqa: PLW1509  one thread
    )
    writer = _when_read("pipe")  # nothing is written, so the program waits
    time.sleep(0.3)
    out, err = _interrupt(process)
    os.close(writer)
    assert (process.returncode, out) == (130, "")
    assert err.split() == ["interrupted"]


def _interrupt(process: subprocess.Popen[str]) -> tuple[str, str]:
    """What an interrupted program wrote. Python handles a signal just before a read only after the read."""
    for _ in range(5):
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=SECONDS / 5)
    process.kill()
    return process.communicate()


def _when_read(path: str) -> int:
    """The writing end of a pipe, as soon as the other end is open for reading."""
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        with suppress(OSError):
            return os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        time.sleep(0.02)
    raise TimeoutError(path)


AT_THE_START = "sys.addaudithook(lambda event, of: event == 'import' and of[0] == 'click' and interrupt())"
AT_THE_END = "sys.stderr = type('Stderr', (), {'flush': lambda _: interrupt(), 'write': sys.stderr.write})()"


@pytest.mark.parametrize("when", [AT_THE_START, AT_THE_END])
def test_an_interrupt_before_or_after_the_command_ends_with_130(when: str) -> None:
    prepared = "import os, signal, sys\ninterrupt = lambda: os.kill(os.getpid(), signal.SIGINT)"
    words = [
        sys.executable,
        "-c",
        f"{prepared}\n{when}\nfrom gitgpu.cli.main import run\nrun()",
        "sku",
        "list",
        "--all",
    ]
    ran = subprocess.run(
        words,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
        preexec_fn=_heeds_interrupts,
    )
    assert (ran.returncode, ran.stderr.split()) == (130, ["interrupted"])


def test_a_reader_that_closes_the_pipe_causes_no_error_message_and_no_success() -> None:
    write(BROKEN)
    ran = program("validate", "-o", "json", shell="| true; true")
    assert (ran.returncode, ran.stdout) == (0, "")
    read, write_end = os.pipe()
    os.close(read)
    process = subprocess.run(
        [*PROGRAM, "sku", "list"], stdout=write_end, stderr=subprocess.PIPE, text=True, timeout=SECONDS, check=False
    )
    os.close(write_end)
    assert (process.returncode, process.stderr) == (2, "")


def test_a_closed_output_causes_no_error() -> None:
    write(SOUND)
    assert program("validate", "-o", "json", shell=">&-").returncode == 0
    assert program("sku", "list", shell=">&- 2>&-").returncode == 0
    write(BROKEN)
    assert program("validate", shell=">&-").returncode == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_is_reported() -> None:
    write(SOUND)
    ran = program("sku", "list", shell=">/dev/full")
    assert ran.returncode == 2
    assert "No space left" in ran.stderr
    assert program("validate", "nope", shell="2>/dev/full").returncode == 2


def test_a_fleet_can_be_read_from_a_pipe() -> None:
    os.mkfifo("pipe")
    writer = subprocess.Popen(["sh", "-c", "cat > pipe"], stdin=subprocess.PIPE, text=True)
    process = subprocess.Popen(
        [*PROGRAM, "validate", "pipe"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    writer.communicate(SOUND, timeout=SECONDS)
    out, err = process.communicate(timeout=SECONDS)
    assert (process.returncode, out) == (0, "")
    assert "3 objects" in err


def test_the_output_does_not_depend_on_locale_or_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    write(BROKEN.replace("name: f", "name: ü"))
    reported = []
    for locale, seed in (("C", "0"), ("C.UTF-8", "1"), ("POSIX", "random")):
        monkeypatch.setenv("LC_ALL", locale)
        monkeypatch.setenv("PYTHONHASHSEED", seed)
        reported.append(program("validate", "-o", "json").stdout)
    assert reported[0]
    assert reported == [reported[0]] * 3


@pytest.mark.parametrize("encoding", ["latin-1", "ascii", "cp932"])
def test_output_that_is_not_for_a_terminal_is_utf_8(monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    """Windows gives a pipe or a file an older encoding, which lacks characters of the page."""
    monkeypatch.setenv("PYTHONUTF8", "0")
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    write(SOUND)
    page = subprocess.run([*PROGRAM, "simulate", "-o", "html"], capture_output=True, timeout=SECONDS, check=True).stdout
    assert "\N{CHECK MARK}" in page.decode("utf-8")
    Path("ü").write_text(BROKEN)
    ran = subprocess.run([*PROGRAM, "validate", "ü"], capture_output=True, timeout=SECONDS, check=False)
    assert ran.stdout.decode("utf-8").startswith("ü:14:19: error[LNK004]")


def test_a_deleted_working_directory_is_reported(tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    ran = subprocess.run(
        ["sh", "-c", 'cd gone && rmdir ../gone && exec "$@" validate -o json', "sh", *PROGRAM],
        capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    assert ran.returncode == 2
    assert "Traceback" not in ran.stderr
    [result] = json.loads(ran.stdout)["results"]
    assert (result["code"], result["message"]) == ("OUT004", "the current directory: No such file or directory")
    assert result["help"] == "correct this and run the command again"
    assert ran.stderr == "gitgpu: the current directory: No such file or directory\n"


def test_a_bug_is_reported_as_a_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    """A traceback is shown only on request."""
    broken = "from gitgpu.cli import program; program.load = None; raise SystemExit(program.execute(['validate']))"
    words = [sys.executable, "-c", broken]
    ran = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert ran.returncode == 2
    assert ran.stderr == (
        "gitgpu: internal error: TypeError: 'NoneType' object is not callable\n"
        "This is a bug. Please report it with the output of the same command under GITGPU_DEBUG=1.\n"
    )
    as_json = [*words[:2], broken.replace("'validate'", "'validate', '-o', 'json'")]
    ran = subprocess.run(as_json, capture_output=True, text=True, timeout=SECONDS, check=False)
    [result] = json.loads(ran.stdout)["results"]
    assert (result["code"], result["message"]) == ("INT002", "TypeError: 'NoneType' object is not callable")
    assert result["help"] == "report it with the output under GITGPU_DEBUG=1"
    assert "Traceback" not in ran.stderr
    monkeypatch.setenv("GITGPU_DEBUG", "1")
    ran = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert "Traceback" in ran.stderr


@pytest.mark.parametrize("word", ["build", "--help", "--version"])
def test_python_without_docstrings_is_refused_with_the_reason(word: str) -> None:
    write(SOUND)
    ran = subprocess.run(
        [sys.executable, "-OO", "-m", "gitgpu", word], capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "Error: Python's option -OO (PYTHONOPTIMIZE=2) removes the help texts: use -O\n"


def test_python_without_assertions_is_accepted() -> None:
    write(SOUND)
    ran = subprocess.run(
        [sys.executable, "-O", "-m", "gitgpu", "build"], capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert (ran.returncode, "Error" in ran.stderr) == (0, False)


END = b"<end of output>"


def _on_terminal(*arguments: str, columns: int = 80, **variables: str) -> str:
    """What the program writes to a terminal with this many columns.

    Some kernels drop unread output when the last writer closes a terminal. So this process keeps it open, and writes a
    mark after the output of the program.
    """
    controller, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS", "TERM")}
    environment = {**kept, "TERM": "xterm", "CI": "true", **variables}  # no line about long work
    with subprocess.Popen(
        [*PROGRAM, *arguments], stdin=terminal, stdout=terminal, stderr=terminal, env=environment
    ) as process:
        marking = threading.Thread(target=lambda: (process.wait(), os.write(terminal, END)))
        marking.start()
        output = b""
        while not output.endswith(END):
            output += os.read(controller, 4096)
        marking.join()
    os.close(terminal)
    os.close(controller)
    assert process.returncode in (0, 1)
    return output.removesuffix(END).decode()


def test_a_terminal_has_colours_unless_it_is_dumb() -> None:
    write(BROKEN)
    assert "\x1b[" in _on_terminal("validate")
    assert "\x1b" not in _on_terminal("validate", TERM="dumb")
    assert "\x1b" not in _on_terminal("validate", NO_COLOR="1")
    assert "\x1b[" in _on_terminal("validate", "--color", "always", TERM="dumb")


def test_a_terminal_that_lacks_a_character_shows_its_code() -> None:
    Path("中").write_text(BROKEN)
    shown = _on_terminal("validate", "中", "--color", "never", PYTHONUTF8="0", PYTHONIOENCODING="latin-1")
    assert shown.startswith("\\u4e2d:14:19: error[LNK004]")


def _words(text: str) -> list[str]:
    return re.sub("\x1b\\[[0-9;]*m", "", text).split()


@pytest.mark.parametrize("colour", ["always", "never"])
def test_lines_break_between_words(colour: str) -> None:
    write(WARNED)
    narrow = _on_terminal("validate", "--color", colour)
    lines = re.sub("\x1b\\[[0-9;]*m", "", narrow).splitlines()
    assert max(map(len, lines)) <= 80
    wide = _on_terminal("validate", "--color", colour, columns=1000)
    assert max(len(line) for line in wide.splitlines()) > 100
    assert _words(narrow) == _words(wide)


@pytest.mark.parametrize("words", [("simulate",), ("rule", "show", "SKU001")])
def test_answers_break_between_words(words: tuple[str, ...]) -> None:
    write(SOUND)
    narrow, wide = _on_terminal(*words), _on_terminal(*words, columns=1000)
    plain = [re.sub("\x1b\\[[0-9;]*m", "", line) for line in narrow.splitlines()]
    assert [line for line in plain if len(line) > 80 and " " in line.strip()] == []
    assert _words(narrow) == _words(wide)


def test_help_is_as_narrow_as_the_terminal() -> None:
    wide, narrow = (_on_terminal("--help", columns=columns) for columns in (80, 50))
    assert max(map(len, wide.splitlines())) > 50
    assert max(map(len, narrow.splitlines())) <= 50
    assert _words(wide) == _words(narrow)


def test_lines_do_not_break_if_the_width_of_the_terminal_is_unknown() -> None:
    """As in the terminals of some CI systems."""
    write(WARNED)
    assert _on_terminal("validate", columns=0) == _on_terminal("validate", columns=1000)
