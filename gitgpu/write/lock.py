"""The lock: which files in the output directory are ours, what they hold, and what they were made from."""

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.parse.syntax import conflict
from gitgpu.load.text import Text
from gitgpu.source import Span
from gitgpu.write.recorded_pools import RecordedPool, is_pools_json, pools_as_json, pools_from_json

NAME = "gitgpu.lock"
_VERSION = "lock.gitgpu.dev/v1"
_MERGED = f"check out {NAME} of one side of the merge, and build again"
_UNSAFE = frozenset("\\:")  # a separator and a drive on Windows


class Stamp(NamedTuple):
    """What a build was made from: the program, the sha256 of the catalog and the sha256 of the spec."""

    generator: str
    catalog: str
    inputs: str


class Lock(NamedTuple):
    """`files` is path -> sha256 of the text. `stamp.inputs` is empty while the files come from more than one build.

    `kubernetes` is the version of each cluster, for whoever lints the files; `pools` are the pools of each cluster.
    """

    stamp: Stamp
    files: Mapping[str, str]
    kubernetes: Mapping[str, str] = {}
    pools: Mapping[str, Mapping[str, RecordedPool]] = {}


class Scope(NamedTuple):
    """The clusters a build is about, among all clusters the fleet has now."""

    clusters: frozenset[str]
    known: frozenset[str]

    @property
    def whole(self) -> bool:
        """The build covers the fleet, and so every file of the output directory."""
        return self.known <= self.clusters

    @property
    def holds(self) -> Callable[[str], bool]:
        """Whether the build may replace or remove this file."""
        return (lambda _: True) if self.whole else (lambda path: path.partition("/")[0] in self.clusters)


def digest(text: str) -> str:
    """The sha256 of the text's UTF-8 bytes."""
    return hashlib.sha256(text.encode()).hexdigest()


def seal(stamp: Stamp, files: Mapping[str, str]) -> Lock:
    """The lock of these texts."""
    return Lock(stamp, {path: digest(text) for path, text in files.items()})


def is_inside(path: str) -> bool:
    """Whether this is a plain relative POSIX path, which can only lead to a file below the output directory."""
    plain = path.isprintable() and not _UNSAFE.intersection(path) and path != NAME
    return plain and all(part not in ("", ".", "..") for part in path.split("/"))


def prove(root: str, lock: Lock, scope: Scope) -> None:
    """Raises ValueError for what no build of this scope may write."""
    holds = scope.holds
    if not root:
        raise ValueError("the output directory has no name")
    for path in lock.files:
        if not is_inside(path) or not holds(path):
            raise ValueError(f"{path!r} is not a path of this build")


def merge(old: Lock, new: Lock, scope: Scope) -> Lock:
    """The lock after a build: entries of clusters out of scope stay.

    A build of some clusters must not claim the inputs for all: `inputs` survives only if nothing else changed.
    """
    if scope.whole:
        return new
    holds = scope.holds
    files = {path: value for path, value in old.files.items() if not holds(path)} | dict(new.files)
    kubernetes = {name: value for name, value in old.kubernetes.items() if name not in scope.clusters}
    kubernetes |= new.kubernetes
    pools = {name: value for name, value in old.pools.items() if name not in scope.clusters} | dict(new.pools)
    if (files, kubernetes, pools) == (old.files, old.kubernetes, old.pools):
        return old
    return Lock(new.stamp if old.stamp == new.stamp else mixed(new.stamp), files, kubernetes, pools)


def mixed(stamp: Stamp) -> Stamp:
    """The stamp of files that do not all come from the same inputs: no build may be skipped for it."""
    return stamp._replace(inputs="")


def dump(lock: Lock) -> str:
    """The JSON text: one file a line, sorted."""
    versions = {"kubernetes": dict(sorted(lock.kubernetes.items()))} if lock.kubernetes else {}
    pools = {"pools": pools_as_json(lock.pools)} if lock.pools else {}
    made = {"apiVersion": _VERSION, **lock.stamp._asdict()}
    body = {**made, **versions, **pools, "files": dict(sorted(lock.files.items()))}
    return json.dumps(body, indent=2, ensure_ascii=False) + "\n"


def parse(text: str | bytes, file: str) -> Lock | Diagnostic:
    """The lock that a text holds, or what is wrong with it. It names what we remove, so no path is taken on trust."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        found = conflict(Text(file, _decoded(text), file), broken=True)
        return _merging(found) if found else _broken(file, "it is not JSON")
    if not isinstance(body, dict) or body.get("apiVersion") != _VERSION:
        return _broken(file, f"its apiVersion is not {_VERSION}")
    stamp: list[Any] = [body.get(key) for key in Stamp._fields]
    files: Any = body.get("files")
    kubernetes: Any = body.get("kubernetes", {})
    if not (_is_of_text(files) and _is_of_text(kubernetes) and all(isinstance(entry, str) for entry in stamp)):
        return _broken(file, f"{', '.join(Stamp._fields)} and the values of kubernetes and files must be strings")
    pools: Any = body.get("pools", {})
    outside = sorted(path for path in files if not is_inside(path) or "/" not in path)  # ours are in folders
    if outside:
        return _broken(file, f"it claims {outside[0]!r}, which is not a path of a cluster in the output directory")
    if not is_pools_json(pools) or not _is_unicode(body):
        return _broken(file, "pools must hold the pools of each cluster, and no text half of a surrogate pair")
    return Lock(Stamp(*stamp), files, kubernetes, pools_from_json(pools))


def _is_unicode(found: Any) -> bool:
    try:
        return bool(json.dumps(found, ensure_ascii=False).encode())
    except UnicodeEncodeError:
        return False


def _merging(found: Diagnostic) -> Diagnostic:
    return found._replace(code="OUT003", message=f"the lock cannot be read: {found.message}", help=_MERGED)


def _decoded(text: str | bytes) -> str:
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else text


def _is_of_text(found: Any) -> bool:
    return isinstance(found, dict) and all(isinstance(value, str) for value in found.values())


def _broken(file: str, reason: str) -> Diagnostic:
    message = f"the lock cannot be read: {reason}"
    remedy = f"restore {NAME} from version control, or delete the output directory and build again"
    return Diagnostic("OUT003", Severity.ERROR, message, remedy, Span(file, 0, 0))
