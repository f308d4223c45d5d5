"""Runs the program in a process that kills itself at the Nth operation that changes a disk."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Protocol

NEVER = 1_000_000  # more operations than any run has
# For each line that it reads, the program forks a child that runs the command; a new process would import it again.
# The child dies just before it creates, renames, removes or changes the mode of something, or half through a write.
PROGRAM = """
import builtins, io, json, os, signal, stat, sys
from contextlib import redirect_stderr, redirect_stdout
from gitgpu.cli.main import main

CHANGES = ("os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.truncate", "os.link", "os.symlink")
count = at = 0

def last():
    global count
    count += 1
    return count == at

def die():
    os.kill(os.getpid(), signal.SIGKILL)

def audit(event, args):
    creates = event == "open" and isinstance(args[2], int) and args[2] & (os.O_CREAT | os.O_TRUNC)
    if os.getpid() == own and (creates or event in CHANGES) and args[0] != os.devnull and last():
        die()

class Dying:
    def __init__(self, file):
        self.file = file

    def write(self, data):
        if last():
            self.file.write(data[: len(data) // 2])
            self.file.flush()
            die()
        return self.file.write(data)

    def writelines(self, parts):
        for part in parts:
            self.write(part)

    def __getattr__(self, name):
        return getattr(self.file, name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()

def opened(path, mode="r", *rest, **more):
    file = real(path, mode, *rest, **more)
    return Dying(file) if set(mode) & set("wax+") and isinstance(path, str) else file

def written(file, content):
    if stat.S_ISREG(os.fstat(file).st_mode) and last():
        write(file, content[: len(content) // 2])
        die()
    return write(file, content)

def run(folder, words):
    global own
    own = os.getpid()
    os.chdir(folder)
    builtins.open, os.write = opened, written
    sys.addaudithook(audit)
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        status = main(words)
    write(answer, json.dumps([status, out.getvalue(), count]).encode())

real, write = open, os.write
for words in json.loads(sys.stdin.readline()):
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        main(words)
for line in sys.stdin:
    folder, at, words = json.loads(line)
    read, answer = os.pipe()
    child = os.fork()
    if not child:
        try:
            run(folder, words)
        finally:
            os._exit(0)
    os.close(answer)
    with real(read) as answered:
        text = answered.read()
    killed = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    print(json.dumps(["killed"] if killed else json.loads(text or "[]")), flush=True)
"""


class Ended(NamedTuple):
    """A run that was not killed: its exit status, its output, and the number of its operations."""

    status: int
    output: str
    operations: int


class Killing(Protocol):
    """Runs the words in a folder. None if the run was killed, at operation number `at`."""

    def __call__(self, folder: Path, *words: str, at: int = NEVER) -> Ended | None: ...


@contextmanager
def killing(first: Sequence[Sequence[str]], files: Mapping[str, str]) -> Iterator[Killing]:
    """Starts the program that forks. It runs `first` in a folder with these files: its children know the catalog."""
    outside = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "GITGPU_"))}
    environment = {**outside, "PYTHONPATH": str(Path(__file__).parents[2]), "GITGPU_DEBUG": "1"}
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", PROGRAM]
    with (
        tempfile.TemporaryDirectory() as scratch,
        subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment, cwd=scratch) as program,
    ):
        for name, content in files.items():
            Path(scratch, name).write_text(content, encoding="utf-8")
        assert program.stdin
        assert program.stdout
        sent, answered = program.stdin, program.stdout
        print(json.dumps(first), file=sent, flush=True)

        def go(folder: Path, *words: str, at: int = NEVER) -> Ended | None:
            print(json.dumps([str(folder), at, words]), file=sent, flush=True)
            answer = json.loads(answered.readline())
            assert answer, f"{words} ended without an exit status"
            return None if answer == ["killed"] else Ended(*answer)

        yield go


def can_kill() -> bool:
    """Whether this system can fork, and can kill outright."""
    return hasattr(os, "fork") and hasattr(signal, "SIGKILL")
