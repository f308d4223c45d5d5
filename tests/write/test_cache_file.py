"""The cache of a build: its text, when it is unusable, and when it proves that nothing has changed."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.source import Span
from gitgpu.write.atomic_file import TEMPORARY
from gitgpu.write.cache import Cache, DiskState, Stamp, dump, merge, mixed_stamp, parse
from gitgpu.write.cache_file import needs_no_build, read_cache, read_stamp, write_cache
from gitgpu.write.cache_path import cache_path
from gitgpu.write.disk_state import disk_state
from gitgpu.write.scope import Scope
from gitgpu.write.tree import digest
from tests.helping.cases import for_each

STAMP = Stamp("gitgpu 1", "catalog", "inputs", 7)
FILES = {"a/kustomization.yaml": "one\n", "a/nodes/pool.yaml": "two\n", "b/nodes/pool.yaml": "three\n"}
HASHES = {path: digest(text.encode()) for path, text in FILES.items()}
STATE = DiskState("state", {"a/nodes/pool.yaml": HASHES["a/nodes/pool.yaml"]})
WHOLE = Scope(frozenset("ab"), frozenset("ab"))
ONLY_A = Scope(frozenset("a"), frozenset("ab"))
LATER = 4_000_000_000_500_000_000  # nanoseconds; later than any other time of a file
TICK = 20_000_000


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An output directory with the files, and the cache of the build that wrote them."""
    out = tmp_path / "overlays"
    for path, text in FILES.items():
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        (out / path).write_text(text, encoding="utf-8")
    write_cache(str(out), Cache(STAMP, HASHES, disk_state(str(out), HASHES)))
    return out


def text_of(cache: Cache) -> str:
    """The text of a cache."""
    return "".join(dump(cache))


def with_head(changes: Mapping[str, Any]) -> str:
    """The text of a cache with changes to its first line. A value of None removes the key."""
    first, rest = text_of(Cache(STAMP, HASHES, STATE)).split("\n", 1)
    head = {key: value for key, value in {**json.loads(first), **changes}.items() if value is not None}
    return f"{json.dumps(head)}\n{rest}"


def test_a_cache_reads_back() -> None:
    cache = Cache(STAMP, HASHES, STATE)
    text = text_of(cache)
    assert parse(text, "c") == cache
    lines = text.splitlines()
    assert json.loads(lines[0]) == {
        "apiVersion": "cache.gitgpu.dev/v1",
        "generator": "gitgpu 1",
        "catalog": "catalog",
        "inputs": "inputs",
        "objects": 7,
        "digest": "state",
        "latest": dict(STATE.latest),
        "files": 3,
    }
    assert lines[1:] == [f"{HASHES[path]}  {path}" for path in sorted(HASHES)]


NOT_JSON = "cannot be read: its first line is not JSON"
ODD_KEYS = "cannot be read: its first line has unexpected keys"
INCOMPLETE = "cannot be read: it is not complete"
OUTSIDE = "cannot be read: it lists files that are not in the output directory"


@for_each(
    ("text", "reason"),
    [
        ("", NOT_JSON),
        ("[" * 100_000, NOT_JSON),
        ("[]\n", "was written by another version of gitgpu"),
        (with_head({"apiVersion": "cache.gitgpu.dev/v2"}), "was written by another version of gitgpu"),
        *((with_head({key: 1}), ODD_KEYS) for key in ("generator", "catalog", "inputs", "digest", "latest")),
        *((with_head({key: "x"}), ODD_KEYS) for key in ("objects", "files", "latest")),
        *(
            (with_head({key: None}), ODD_KEYS)
            for key in ("generator", "inputs", "digest", "latest", "files", "objects")
        ),
        (with_head({"latest": {"a/b": 1}}), ODD_KEYS),
        (with_head({"files": None}), ODD_KEYS),
        (with_head({"files": 2}), INCOMPLETE),
        (with_head({"files": 4}), INCOMPLETE),
        (text_of(Cache(STAMP, HASHES, STATE)).removesuffix("\n"), INCOMPLETE),
        *((text_of(Cache(STAMP, {path: "0"})), OUTSIDE) for path in ("a", "/a/b", "a/../b", "a//b")),
        (text_of(Cache(STAMP, HASHES, DiskState("", {"../a": "0"}))), OUTSIDE),
    ],
)
def test_a_cache_that_cannot_be_used(text: str, reason: str) -> None:
    result = parse(text, "the/file")
    assert isinstance(result, Diagnostic)
    assert (result.code, result.severity, result.span) == ("OUT003", Severity.INFO, Span("the/file"))
    assert result.message == f"the cache {reason}; it is replaced, and the output does not depend on it"
    assert result.help == "nothing to do; if this is reported again, delete the file"


def test_a_partial_build_keeps_the_cache_of_other_clusters() -> None:
    old = Cache(STAMP, HASHES, STATE)
    own = {path: value for path, value in HASHES.items() if path.startswith("a/")}
    later = STAMP._replace(inputs="later")
    assert merge(old, later, own, WHOLE) == Cache(later, own)
    assert merge(old, later, own, ONLY_A) == Cache(STAMP, HASHES)
    changed = {"a/kustomization.yaml": "0"}
    rest = {"b/nodes/pool.yaml": HASHES["b/nodes/pool.yaml"]}
    assert merge(old, later, changed, ONLY_A) == Cache(mixed_stamp(later), {**rest, **changed})
    assert merge(old, STAMP, changed, ONLY_A) == Cache(STAMP, {**rest, **changed})
    assert mixed_stamp(later) == Stamp("gitgpu 1", "catalog", "", 7)
    assert Stamp("gitgpu 1", "catalog", "inputs") == STAMP._replace(objects=0)


def test_the_caches_of_equal_files_and_inputs_are_equal() -> None:
    cache = Cache(STAMP, HASHES, STATE)
    assert cache.says_same(cache._replace(state=DiskState()))
    others = (Cache(STAMP, {}, STATE), Cache(mixed_stamp(STAMP), HASHES, STATE), (STAMP, HASHES, STATE))
    assert not any(cache.says_same(other) for other in others)


@pytest.mark.parametrize(
    ("newest", "times", "latest"),
    [
        (LATER, {"b": LATER - TICK, "c": LATER - TICK - 1}, {"a", "b"}),
        (LATER - 500_000_000, {"b": LATER - 2_500_000_000, "c": LATER - 2_500_000_001}, {"a", "b"}),
        (LATER, {}, {"a"}),
        (1, {"b": 1, "c": 1}, {"a", "b", "c", "d"}),
    ],
    ids=["fine times", "whole seconds", "one", "times of change that were set back"],
)
def test_the_files_that_were_changed_last(tmp_path: Path, newest: int, times: dict[str, int], latest: set[str]) -> None:
    """The later of a file's two times counts: that of its content, or that of its name and permissions."""
    for name in "abcd":
        (tmp_path / name).write_text(name, encoding="utf-8")
    for name, time in {"a": newest, **times}.items():
        os.utime(tmp_path / name, ns=(time, time))
    files = {name: digest(name.encode()) for name in "dcba"}
    assert disk_state(str(tmp_path), files, clock=lambda: 0).latest == {name: files[name] for name in latest}


@pytest.mark.parametrize(("takes", "expected"), [(TICK, True), (TICK + 1, False)])
def test_after_a_tick_the_latest_files_are_known_by_their_times(root: Path, takes: int, expected: bool) -> None:
    times = iter((0, takes))
    assert bool(disk_state(str(root), HASHES, clock=lambda: next(times)).latest) is expected


def test_a_latest_file_with_another_content_is_still_compared(root: Path) -> None:
    """Another program may change it during the build, with the same timestamp."""
    _change(root)
    times = iter((0, 10**12))
    assert "a/nodes/pool.yaml" in disk_state(str(root), HASHES, clock=lambda: next(times)).latest


def test_a_latest_file_that_is_changed_while_it_is_read_is_still_compared(root: Path) -> None:
    def clock() -> int:
        """Another program changes the time of a file before the second call."""
        calls.append(0)
        if len(calls) == 2:
            os.utime(root / newest, ns=(1, 1))
        return len(calls) * 10**12

    newest = max(HASHES, key=lambda path: (root / path).stat().st_ctime_ns)
    calls: list[int] = []
    assert newest in disk_state(str(root), HASHES, clock=clock).latest


def test_an_empty_set_of_files_has_a_state(tmp_path: Path) -> None:
    assert disk_state(str(tmp_path), {}) == DiskState(digest(), {})


def test_the_state_is_that_of_size_times_and_inode_of_each_file(root: Path) -> None:
    def state() -> str:
        return disk_state(str(root), HASHES).digest

    first, path = state(), root / "a/nodes/pool.yaml"
    assert state() == first
    stat = path.stat()
    path.write_text("2wo\n", encoding="utf-8")
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert state() != first  # the change time of its inode
    other = path.with_suffix(".new")
    other.write_text("two\n", encoding="utf-8")
    other.replace(path)
    assert state() != first


def test_an_unchanged_directory_is_known_by_its_state(root: Path) -> None:
    assert needs_no_build(str(root), STAMP)
    assert needs_no_build(str(root), STAMP, by_content=False)


@pytest.mark.parametrize("stamp", [mixed_stamp(STAMP), STAMP._replace(inputs="x"), STAMP._replace(catalog="x")])
def test_another_stamp_proves_nothing(root: Path, stamp: Stamp) -> None:
    assert not needs_no_build(str(root), stamp)


def test_a_mixed_stamp_proves_nothing_even_if_it_is_the_same(root: Path) -> None:
    write_cache(str(root), Cache(mixed_stamp(STAMP), HASHES, disk_state(str(root), HASHES)))
    assert not needs_no_build(str(root), mixed_stamp(STAMP))


def test_other_times_are_compared_by_content_and_recorded(root: Path) -> None:
    os.utime(root / "a/nodes/pool.yaml", ns=(1, 1))
    assert not needs_no_build(str(root), STAMP, by_content=False)
    assert needs_no_build(str(root), STAMP)
    assert needs_no_build(str(root), STAMP, by_content=False)
    cache = read_cache(str(root))
    assert isinstance(cache, Cache)
    assert cache[:2] == (STAMP, HASHES)
    assert cache.state.digest == disk_state(str(root), HASHES).digest


@pytest.mark.parametrize("by_content", [True, False])
def test_another_content_of_one_of_the_latest_files(root: Path, by_content: bool) -> None:
    state = disk_state(str(root), HASHES)
    forged = state._replace(latest={**state.latest, "a/nodes/pool.yaml": digest(b"2")})
    write_cache(str(root), Cache(STAMP, HASHES, forged))
    assert not needs_no_build(str(root), STAMP, by_content=by_content)


def _add(root: Path) -> None:
    (root / "a/more.yaml").write_text("", encoding="utf-8")


def _remove(root: Path) -> None:
    (root / "a/nodes/pool.yaml").unlink()


def _change(root: Path) -> None:
    (root / "a/nodes/pool.yaml").write_text("2wo\n", encoding="utf-8")


def _link(root: Path) -> None:
    (root / "a/link").symlink_to("nodes")


def _leave(root: Path) -> None:
    (root / "a" / TEMPORARY).write_text("", encoding="utf-8")


@pytest.mark.parametrize("happens", [_add, _remove, _change, _link, _leave])
def test_which_changes_to_a_directory_are_detected(root: Path, happens: Any) -> None:
    happens(root)
    assert not needs_no_build(str(root), STAMP)
    assert not needs_no_build(str(root), STAMP, by_content=False)


def test_an_empty_directory_is_known_by_its_content_only(tmp_path: Path) -> None:
    """The state of an empty directory can be computed by anyone."""
    root = tmp_path / "overlays"
    root.mkdir()
    write_cache(str(root), Cache(STAMP, {}, disk_state(str(root), {})))
    assert needs_no_build(str(root), STAMP)
    assert not needs_no_build(str(root), STAMP, by_content=False)


def test_a_large_directory_is_known_by_its_content_too(tmp_path: Path) -> None:
    """Of a directory that no build has written, no more folders are read after the first 1,000 files."""
    files = {path: digest(b"") for path in (*(f"a/{number}.yaml" for number in range(1000)), "b/last.yaml")}
    root = tmp_path / "overlays"
    for path in files:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).touch()
    write_cache(str(root), Cache(STAMP, files, DiskState("of another machine", {})))
    assert needs_no_build(str(root), STAMP)


@pytest.mark.parametrize("content", [None, b"", b"{}\n", b"\xff\n"])
def test_without_a_usable_cache_nothing_is_known(root: Path, content: bytes | None) -> None:
    path = Path(cache_path(str(root)))
    path.unlink() if content is None else path.write_bytes(content)
    assert not needs_no_build(str(root), STAMP)
    assert read_stamp(str(root)) is None


def test_a_cache_from_before_a_time_has_no_stamp(root: Path) -> None:
    os.utime(cache_path(str(root)), (1000, 1000))
    assert [read_stamp(str(root), since) for since in (0, 1000, 1000.5)] == [STAMP, STAMP, None]


def test_the_folder_of_the_cache_is_beside_the_directory_and_ignored_by_git(root: Path) -> None:
    folder = root.parent / ".gitgpu_cache"
    assert Path(cache_path(str(root))) == folder / "overlays.cache"
    assert sorted(path.name for path in folder.iterdir()) == [".gitignore", "overlays.cache"]
    assert (folder / ".gitignore").read_text(encoding="utf-8") == "*\n"
    (folder / ".gitignore").write_text("mine\n", encoding="utf-8")
    write_cache(str(root), Cache(STAMP, {}))
    assert (folder / ".gitignore").read_text(encoding="utf-8") == "mine\n"
    assert read_cache(str(root)) == Cache(STAMP, {})


def test_no_cache_is_written_through_a_link(tmp_path: Path) -> None:
    root, elsewhere = tmp_path / "overlays", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / ".gitgpu_cache").symlink_to(elsewhere)
    write_cache(str(root), Cache(STAMP, {}))
    assert list(elsewhere.iterdir()) == []
    (tmp_path / ".gitgpu_cache").unlink()
    (tmp_path / ".gitgpu_cache").mkdir()
    (tmp_path / ".gitgpu_cache/overlays.cache.tmp").symlink_to(elsewhere / "file")
    write_cache(str(root), Cache(STAMP, {}))
    assert list(elsewhere.iterdir()) == []
    assert read_cache(str(root)) == Cache()
