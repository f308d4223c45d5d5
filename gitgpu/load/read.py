"""The disk reader. Files are opened only here, and in `write`, which compares and replaces them.

Files that cannot be read are faults (codes INP...), never exceptions. Nothing outside the named paths is opened.
"""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from io import BufferedReader
from typing import TypeAlias

from gitgpu.diagnostic import Diagnostic, fault
from gitgpu.load.paths import normal_path
from gitgpu.load.text import Text
from gitgpu.load.walk import SUFFIXES, unread_fault, walk
from gitgpu.source import Span

Decoding: TypeAlias = Callable[[str, bytes, str | None], Text | Diagnostic]

MAX_BYTES = 32 * 1024 * 1024  # bytes; a fleet of 10,000 clusters needs about 3 MB
STANDARD_INPUT = "-"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")  # the marks that PowerShell's > writes, and its opposite
_COMPRESSED = {
    b"\x1f\x8b": "gzip", b"PK\x03\x04": "zip", b"\xfd7zXZ": "xz", b"\x28\xb5\x2f\xfd": "zstd", b"BZh": "bzip2",
}  # fmt: skip
PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def read_text(
    path: str, label: str | None = None, decoding: Decoding | None = None, maximum: int = MAX_BYTES
) -> Text | Diagnostic:
    """A file of at most `maximum` bytes as text: UTF-8, with or without a byte order mark, or another `decoding`."""
    name = path.encode(errors="backslashreplace").decode()
    if name != path:
        return _refused("INP001", name, "cannot be read: its name is not UTF-8", "rename it")
    try:
        # Small files are read a third faster without a buffer and with a known size.
        with open(path, "rb", buffering=0) as file:
            size = os.fstat(file.fileno()).st_size  # also 0 for a pipe or a device, which may never end
            if size > maximum:
                return _too_large(path, maximum)
            raw = file.read(size + 1) if size else b""
            if len(raw) != size or not size:  # a pipe, or a file that is changing
                rest = BufferedReader(file)
                raw += rest.read(maximum + 1 - len(raw))
                rest.detach()
    except (OSError, ValueError) as error:
        return unread_fault(path, error)
    return _too_large(path, maximum) if len(raw) > maximum else (decoding or decode)(path, raw, label)


def read_bytes(path: str, maximum: int = MAX_BYTES + 1) -> bytes:
    """The beginning of a file, or nothing if it cannot be read. Only for comparing and recognising files."""
    try:
        with open(path, "rb", buffering=0) as file:
            size = os.fstat(file.fileno()).st_size  # also 0 for a pipe or a device
            return file.read(min(size, maximum) or maximum)  # `read` allocates as many bytes as it may read
    except OSError:
        return b""


def decode(path: str, raw: bytes, label: str | None = None) -> Text | Diagnostic:
    """Bytes as text: UTF-8, or UTF-16 with a byte order mark. Others, and NUL, are faults with a line."""
    try:
        content = raw.decode("utf-16" if raw.startswith(_UTF16) else "utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        if raw.startswith(_UTF16):
            message = "not UTF-16, although it starts with a UTF-16 byte order mark"
            return fault("INP002", message, "save the file as UTF-8", Span(path, 1, 1))
        if form := next((form for mark, form in _COMPRESSED.items() if raw.startswith(mark)), ""):
            return fault("INP002", f"compressed: {form}", "unpack it, and pass what is in it", Span(path, 1, 1))
        message = f"byte 0x{raw[error.start]:02x} is not UTF-8"
        return fault("INP002", message, "save the file as UTF-8", Span(path, line, 1))
    if "\0" in content:
        line = content.count("\n", 0, content.index("\0")) + 1
        return fault("INP002", "contains a NUL character", "save the file as plain text", Span(path, line, 1))
    return Text(path, content, path if label is None else label)


def read_paths(
    paths: Iterable[str],
    skipped: Collection[str] = (),
    decoding: Decoding | None = None,
    suffixes: tuple[str, ...] = SUFFIXES,
    *,
    maximum: int = MAX_BYTES,
) -> tuple[list[Text], list[Diagnostic]]:
    """The texts of files and directories, each file once, and faults for what could not be read.

    Subdirectories whose real paths are `skipped`, and files with other `suffixes`, are not read.

    A label is the path below the given directory (only the name of a file), so it is the same on every machine.
    Directories are walked in order of name. Hidden entries and links to directories are ignored, as in kubectl.
    A link to a file outside the directory, and outside the Git work tree around it, is a fault.
    """
    texts: list[Text] = []
    faults: list[Diagnostic] = []
    labels: dict[str, str] = {}
    for name, label in _files(paths, faults, skipped, suffixes):
        labels[name] = max(labels.get(name, ""), label, key=len)  # a file may be named twice, in any order
    for name, label in labels.items():
        result = read_text(name, label, decoding, maximum)
        (texts if isinstance(result, Text) else faults).append(result)  # type: ignore[arg-type]
    return texts, faults


def _files(
    paths: Iterable[str], faults: list[Diagnostic], skipped: Collection[str], suffixes: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    for path in paths:
        if not os.path.isdir(path):
            yield normal_path(path), os.path.basename(path)
            continue
        missed: list[Diagnostic] = []
        names = [name for name in walk(path, missed, skipped) if name.endswith(suffixes)]
        faults.extend(missed)
        if not names and not missed:
            faults.append(_refused("INP004", path, "contains no YAML or JSON file", "pass a file or another directory"))
        for name in names:
            yield normal_path(os.path.join(path, name)), name


def exists(path: str) -> bool:
    """Whether a file or directory with this name exists."""
    return os.path.exists(path)


def leads_nowhere(path: str) -> bool:
    """Whether it is a link to a missing file, or to itself."""
    return os.path.islink(path) and not os.path.exists(path)


def is_file(path: str) -> bool:
    """Whether a file with this name exists."""
    return os.path.isfile(path)


def upwards(start: str, names: Sequence[str], fits: Callable[[str], bool]) -> Iterator[str]:
    """The files with these names that fit, in a directory and above it, up to the root of the Git work tree.

    The nearest is first. A directory gives at most one, and earlier names have precedence.
    """
    try:
        directory = os.path.abspath(start)
    except FileNotFoundError:  # the current directory has been removed
        return
    while True:
        candidates = (os.path.join(directory, name) for name in names)
        nearest = next((path for path in candidates if os.path.isfile(path) and fits(path)), None)
        if nearest:
            yield os.path.relpath(nearest)
        parent = os.path.dirname(directory)
        if parent == directory or os.path.exists(os.path.join(directory, ".git")):
            return
        directory = parent


def relative_to(file: str, path: str) -> str:
    """A path that is written in a file and relative to it, as a path from the current directory."""
    return os.path.normpath(os.path.join(os.path.dirname(file), path))


def label(path: str) -> str:
    """The path for generated files: as written, or the last part of an absolute path."""
    plain = os.path.normpath(path).replace(os.sep, "/")
    return os.path.basename(plain) if os.path.isabs(path) else plain


@cache
def data_root() -> str:
    """The directory with schemas/ and catalog/: in the installed package, or next to it in a checkout."""
    bundled = os.path.join(PACKAGE, "_data")
    return bundled if os.path.isdir(bundled) else os.path.dirname(PACKAGE)


def data_text(relative: str) -> str:
    """A gitgpu data file, such as "schemas/fleet.schema.json". Raises OSError if the installation is broken."""
    with open(os.path.join(data_root(), relative), encoding="utf-8") as file:
        return file.read()


def package_text(package: str, relative: str) -> str | None:
    """A file of another installed package, without importing the package; None if it does not exist."""
    spec = find_spec(package)
    for place in (spec.submodule_search_locations or ()) if spec else ():
        path = os.path.join(place, relative)
        if os.path.isfile(path):
            with open(path, encoding="utf-8") as file:
                return file.read()
    return None


def listing(directory: str) -> list[str]:
    """The names in a directory, sorted; empty if it cannot be read."""
    try:
        return sorted(os.listdir(directory))
    except OSError:
        return []


def _too_large(path: str, maximum: int) -> Diagnostic:
    return _refused("INP003", path, f"larger than {maximum // 2**20} MiB", "split it, or pass the right file")


def _refused(code: str, path: str, message: str, remedy: str) -> Diagnostic:
    return fault(code, message, remedy, Span(path))
