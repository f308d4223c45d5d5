"""Files of a Git revision, read with `git`, without changes to the work tree and without network access.

Only `rev-parse`, `ls-tree`, `cat-file`, `log` and `check-ignore` run: Git runs no hooks, filters or pagers for them.
GIT_DIR and related variables are removed from the environment, prompts are disabled, and no object is fetched.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from gitgpu.diagnostic import Diagnostic, fault
from gitgpu.load.read import MAX_BYTES, decode
from gitgpu.load.text import Text
from gitgpu.load.walk import SUFFIXES
from gitgpu.source import Span

UNKNOWN = "INP008"  # the code of a name that no commit has
PATIENCE = 300  # seconds for one command; the largest repositories need only a few
# Git must not fetch, prompt or take locks, and its output must not depend on the user's language.
_SETTINGS = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
# The modes of regular files. Links and submodules are not followed.
_PLAIN_FILES = (b"100644", b"100755")
_MEND = "use a commit, branch or tag of this repository; in CI, fetch it first (fetch-depth: 0)"


def is_yaml(path: str) -> bool:
    """Whether it is a file that can contain a fleet."""
    return path.endswith(SUFFIXES)


class Revision(NamedTuple):
    """A commit in a repository: the root of its work tree, the hash of the commit, and the name that the user gave."""

    top: str
    commit: str
    name: str


class GitFailedError(Exception):
    """A Git failure, with its diagnostic."""


def revision(name: str, path: str) -> Revision | Diagnostic:
    """The commit of a revision name in the repository around a path. A name that looks like an option is rejected."""
    if not name or name.startswith("-") or not name.isprintable():
        return _refused(UNKNOWN, f"{name!r} is not a Git revision", _MEND)
    try:
        folder = _folder(path)
        top = os.fsdecode(git_output(folder, "rev-parse", "--show-toplevel")).removesuffix("\n")
        try:
            commit = git_output(folder, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
        except GitFailedError:
            raise GitFailedError(
                _refused(UNKNOWN, f"{name!r} is neither a directory nor a Git revision", _MEND)
            ) from None
        return Revision(top, commit.decode().strip(), name)
    except GitFailedError as error:
        refusal: Diagnostic = error.args[0]
        return refusal


def read_revision(
    revision: Revision, path: str, wanted: Callable[[str], bool] = is_yaml
) -> tuple[list[Text], list[Diagnostic]]:
    """The wanted files of a commit below a path; none if the commit does not contain the path.

    Labels follow `read.read_paths`: the path below the given directory, or only the name of a file.
    """
    inside = os.path.relpath(os.path.realpath(path), os.path.realpath(revision.top)).replace(os.sep, "/")
    if inside.startswith("../") or inside == "..":
        message = f"{path} is outside the Git repository {revision.top}"
        return [], [_refused("INP007", message, "use a path inside the repository")]
    try:
        return _read(revision, "" if inside == "." else inside, wanted)
    except GitFailedError as error:
        return [], [error.args[0]]


def _read(revision: Revision, inside: str, wanted: Callable[[str], bool]) -> tuple[list[Text], list[Diagnostic]]:
    below = ("--", inside) if inside else ()
    listed = git_output(revision.top, "ls-tree", "-r", "-l", "-z", "--full-tree", revision.commit, *below)
    files = [file for file in _files(listed) if wanted(_label(file.path, inside))]
    large = next((file.path for file in files if file.size > MAX_BYTES), None)
    if large is not None:
        return [], [_refused("INP003", f"larger than {MAX_BYTES // 2**20} MiB", "split it", f"{revision.name}:{large}")]
    names = "".join(f"{file.blob}\n" for file in files).encode()
    raw = git_output(revision.top, "cat-file", "--batch", stdin=names) if files else b""
    texts: list[Text] = []
    faults: list[Diagnostic] = []
    for file, content in zip(files, _contents(raw, len(files)), strict=True):
        result = decode(f"{revision.name}:{file.path}", content, _label(file.path, inside))
        (texts if isinstance(result, Text) else faults).append(result)  # type: ignore[arg-type]
    return texts, faults


def _label(path: str, inside: str) -> str:
    return path.removeprefix(inside).removeprefix("/") or os.path.basename(path)


class _File(NamedTuple):
    """A file of a commit: the name of its blob, its path from the root, and its size in bytes."""

    blob: str
    path: str
    size: int


def _files(listed: bytes) -> Iterator[_File]:
    """The plain files that `ls-tree -l` lists."""
    for entry in listed.split(b"\0"):
        head, _, path = entry.partition(b"\t")
        parts = head.split()
        if len(parts) != 4:  # mode, type, name and size; nothing follows the last NUL
            continue
        mode, _, blob, digits = parts
        if mode in _PLAIN_FILES:
            size = int(digits) if digits.isdigit() else 0  # BAD: the blob is missing, and reading it reports that
            yield _File(blob.decode(), os.fsdecode(path), size)


def _contents(raw: bytes, count: int) -> Iterator[bytes]:
    """The output of `cat-file --batch`, object by object."""
    start = 0
    for _ in range(count):
        end = raw.find(b"\n", start)
        head = raw[start:end].split()
        if len(head) != 3:  # name, type and size, or the name and "missing"
            message = "an object of this revision is missing in this clone"
            raise GitFailedError(_refused("INP007", message, "clone the repository again, without --filter"))
        size = int(head[2])
        yield raw[end + 1 : end + 1 + size]
        # The head and the content each end with a line break.
        start = end + size + 2


def ignored_paths(paths: Iterable[str]) -> frozenset[str]:
    """The paths that Git ignores, of files that may not exist; none outside of work trees or without Git."""
    by_folder: dict[str, list[str]] = {}
    for path in paths:
        by_folder.setdefault(_folder(os.path.dirname(path)), []).append(path)
    found: set[str] = set()
    for folder, inside in by_folder.items():
        relative = {os.path.relpath(path, folder): path for path in inside}
        asked = "\0".join(relative).encode(errors="surrogateescape")
        try:
            command = ("--no-literal-pathspecs", "check-ignore", "-z", "--no-index", "--stdin")
            answer = git_output(folder, *command, stdin=asked)
        except GitFailedError:  # also if it ignores none of them
            continue
        found.update(relative[name] for name in os.fsdecode(answer).split("\0") if name in relative)
    return frozenset(found)


def git_output(folder: str, *arguments: str, stdin: bytes = b"") -> bytes:
    """The output of a Git command that only reads. Raises GitFailedError."""
    import subprocess  # noqa: PLC0415  few runs call Git, and it takes long to load

    # Git hooks set GIT_DIR and GIT_INDEX_FILE, which may belong to a different repository than `folder`.
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")} | _SETTINGS
    # With `git replace`, Git could return a different object from the one that was committed. The configuration of a
    # repository can name a program as its file system monitor, which a command that only reads must not run.
    command = [_program(), "--no-pager", "--no-replace-objects", "-c", "core.fsmonitor=false", *arguments]
    try:
        done = subprocess.run(  # noqa: S603  a fixed program; no user input can be an option
            command, cwd=folder, env=environment, input=stdin, capture_output=True, timeout=PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired, ValueError) as error:
        refused = _refused("INP007", f"git could not be run: {error}", "run git yourself to see the error")
        raise GitFailedError(refused) from None
    if done.returncode:
        output = _line(done.stderr) or f"it ended with status {done.returncode}"
        remedy = "run this inside a Git work tree that you can read, or pass a directory that exists"
        raise GitFailedError(_refused("INP007", f"git says: {output}", remedy))
    return done.stdout


def _program() -> str:
    """The path of git. Raises GitFailedError without one."""
    from shutil import which  # noqa: PLC0415  loads every compression library

    program = which("git")
    if program is None or not os.path.isabs(program):
        raise GitFailedError(_refused("INP007", "git is not installed", "install git, or compare with a directory"))
    return program


def _line(output: bytes) -> str:
    lines = output.decode(errors="replace").strip().splitlines()
    return lines[0].removeprefix("fatal: ") if lines else ""


def _folder(path: str) -> str:
    """The nearest existing directory, from a path upwards."""
    folder = os.path.abspath(path)
    while not os.path.isdir(folder) and folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
    return folder


def _refused(code: str, message: str, remedy: str, file: str = "") -> Diagnostic:
    return fault(code, message, remedy, Span(file))
