"""The cache: which files the last build on this machine wrote to an output directory, and from what.

No result depends on it. Git ignores it, and it may be deleted at any time. The first line is JSON, and the others list
the files as `sha256sum` does: a build that changes nothing reads only the first line.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.source import Span
from gitgpu.write.scope import Scope, is_inside

UNDECIDED = "-"  # instead of a hash: a killed run may or may not have replaced the file
_VERSION = "cache.gitgpu.dev/v1"


class Stamp(NamedTuple):
    """What a build was made from: the program, the sha256 of the catalog and the sha256 of the spec.

    `objects` is the number of objects in the spec, for the summary; 0 if they have not been counted.
    """

    generator: str
    catalog: str
    inputs: str
    objects: int = 0


class DiskState(NamedTuple):
    """The sha256 of the sizes and times of all files, and the hashes of those that were changed last.

    The latter could be changed again without a change of size or time, so their content has to be compared.
    """

    digest: str = ""
    latest: Mapping[str, str] = {}


class Cache(NamedTuple):
    """`files` is path -> sha256 of the text. `stamp.inputs` is empty while the files come from more than one build."""

    stamp: Stamp = Stamp("", "", "")
    files: Mapping[str, str] = {}
    state: DiskState = DiskState()

    def says_same(self, other: object) -> bool:
        """Whether another cache lists the same files, built from the same inputs."""
        return isinstance(other, Cache) and other[:2] == self[:2]


def mixed_stamp(stamp: Stamp) -> Stamp:
    """The stamp of files that were built from different inputs. It never lets a build be skipped."""
    return stamp._replace(inputs="")


def merge(old: Cache, stamp: Stamp, files: Mapping[str, str], scope: Scope) -> Cache:
    """The cache after a build. Entries of clusters out of scope stay.

    A build of some clusters must not claim that all were built from its inputs: `inputs` is kept only if nothing
    changed.
    """
    if scope.whole:
        return Cache(stamp, files)
    everything = {path: value for path, value in old.files.items() if not scope.holds(path)} | dict(files)
    # No file changed, so the stamp of the whole fleet is still true.
    if everything == old.files:
        return old._replace(state=DiskState())
    return Cache(stamp if old.stamp == stamp else mixed_stamp(stamp), everything)


def dump(cache: Cache) -> Iterator[str]:
    """Yields the lines of a cache. The whole text takes 30 MB for ten thousand clusters."""
    head = {"apiVersion": _VERSION, **cache.stamp._asdict(), **cache.state._asdict(), "files": len(cache.files)}
    yield f"{json.dumps(head)}\n"
    for path in sorted(cache.files):
        yield f"{cache.files[path]}  {path}\n"


def read_head(line: str, file: str) -> tuple[Cache, int] | Diagnostic:
    """The first line as a cache without files, and the number of files; or why the cache cannot be used."""
    try:
        body = json.loads(line)
    except (ValueError, RecursionError):
        return _unusable(file, "cannot be read: its first line is not JSON")
    if not isinstance(body, dict) or body.get("apiVersion") != _VERSION:
        return _unusable(file, "was written by another version of gitgpu")
    stamp: list[Any] = [body.get(key) for key in ("generator", "catalog", "inputs")]
    digest, latest, number, objects = (body.get(key) for key in ("digest", "latest", "files", "objects"))
    if (
        not isinstance(number, int)
        or not isinstance(objects, int)
        or not isinstance(latest, dict)
        or not all(isinstance(text, str) for text in (*stamp, digest, *latest.values()))
    ):
        return _unusable(file, "cannot be read: its first line has unexpected keys")
    return Cache(Stamp(*stamp)._replace(objects=objects), {}, DiskState(str(digest), latest)), number


def parse(text: str, file: str) -> Cache | Diagnostic:
    """The cache in a text, or why it cannot be used. Listed files may be replaced, so every path is checked."""
    first, *lines = text.split("\n")
    head = read_head(first, file)
    if isinstance(head, Diagnostic):
        return head
    cache, number = head
    entries = [line.partition("  ") for line in lines if line]
    files = {path: value for value, _, path in entries if path}
    if len(files) != number or not text.endswith("\n"):
        return _unusable(file, "cannot be read: it is not complete")
    if not all(is_inside(path) and "/" in path for path in (*files, *cache.state.latest)):
        return _unusable(file, "cannot be read: it lists files that are not in the output directory")
    return cache._replace(files=files)


def _unusable(file: str, reason: str) -> Diagnostic:
    message = f"the cache {reason}; it is replaced, and the output does not depend on it"
    remedy = "nothing to do; if this is reported again, delete the file"
    return Diagnostic("OUT003", Severity.INFO, message, remedy, Span(file))
