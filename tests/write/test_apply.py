"""The disk writer on real files: it changes what is ours, refuses the rest, and leaves alone what is right."""

import errno
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from gitgpu.diagnostic import Diagnostic
from gitgpu.write.apply import apply, compare, create, stamped, unchanged
from gitgpu.write.lock import Lock, Scope, Stamp, dump, parse, seal
from gitgpu.write.put import TEMPORARY, put
from gitgpu.write.steps import Applied, Comparison

STAMP = Stamp("gitgpu 0.1.0", "c" * 64, "i" * 64)
FILES = {"a/kustomization.yaml": "k: a\n", "a/nodes/x.yaml": "x: 1\n", "b/nodes/y.yaml": "y: é\n"}
KNOWN = frozenset(("a", "b"))
WHOLE = Scope(KNOWN, KNOWN)


def build(root: Path, files: dict[str, str], stamp: Stamp = STAMP, scope: Scope = WHOLE) -> Applied:
    return apply(str(root), files, seal(stamp, files), scope)


def check(root: Path, files: dict[str, str], stamp: Stamp = STAMP, scope: Scope = WHOLE) -> Comparison:
    return compare(str(root), files, seal(stamp, files), scope)


def tree(root: Path) -> dict[str, str]:
    """Every manifest by path, and every empty folder."""
    found = {p.relative_to(root).as_posix(): p for p in root.rglob("*") if p.is_file() or not any(p.iterdir())}
    found.pop("gitgpu.lock", None)
    return {path: p.read_text(encoding="utf-8") if p.is_file() else "" for path, p in found.items()}


def state(root: Path) -> dict[str, tuple[int, int, int]]:
    """What changes when anything is written, a folder too."""
    stats = ((str(p), p.lstat()) for p in [root, *root.rglob("*")])
    return {path: (stat.st_mtime_ns, stat.st_ino, stat.st_size) for path, stat in stats}


def locked(root: Path) -> Lock:
    lock = parse((root / "gitgpu.lock").read_bytes(), "lock")
    assert isinstance(lock, Lock)
    return lock


def codes(diagnostics: tuple[Diagnostic, ...]) -> list[tuple[str, str]]:
    return [(d.code, d.span.file) for d in diagnostics]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An output directory as a whole build leaves it."""
    build(tmp_path / "overlays", FILES)
    return tmp_path / "overlays"


def test_a_first_build_writes_everything(tmp_path: Path) -> None:
    root = tmp_path / "deep" / "overlays"
    done = build(root, FILES)
    assert done == Applied(written=tuple(sorted(FILES)))
    assert tree(root) == FILES
    assert (root / "gitgpu.lock").read_text() == dump(seal(STAMP, FILES))
    assert (root / "b/nodes/y.yaml").read_bytes() == "y: é\n".encode()


def test_a_second_build_touches_nothing(root: Path) -> None:
    before = state(root)
    assert build(root, FILES) == Applied(unchanged=tuple(sorted(FILES)))
    assert state(root) == before
    assert check(root, FILES) == Comparison()


def test_only_what_differs_is_replaced(root: Path) -> None:
    before = state(root)
    done = build(root, {**FILES, "a/nodes/x.yaml": "x: 2\n"})
    assert (done.written, done.edited) == (("a/nodes/x.yaml",), ())
    assert {path for path, value in state(root).items() if before.get(path) != value} == {
        str(root), f"{root}/a/nodes", f"{root}/a/nodes/x.yaml", f"{root}/gitgpu.lock"
    }  # fmt: skip


def test_stale_files_and_the_folders_they_empty_are_removed(root: Path) -> None:
    wanted = {"a/nodes/x.yaml": "x: 1\n"}
    assert build(root, wanted).removed == ("a/kustomization.yaml", "b/nodes/y.yaml")
    assert tree(root) == wanted
    assert not (root / "b").exists()
    assert locked(root) == seal(STAMP, wanted)


def test_a_file_may_be_gone_already(root: Path) -> None:
    (root / "b/nodes/y.yaml").unlink()
    assert build(root, {}).removed == ("a/kustomization.yaml", "a/nodes/x.yaml")
    assert (tree(root), locked(root).files) == ({}, {})


def test_a_deleted_file_comes_back(root: Path) -> None:
    (root / "a/nodes/x.yaml").unlink()
    assert check(root, FILES).stale == ("a/nodes/x.yaml",)
    assert build(root, FILES).written == ("a/nodes/x.yaml",)
    assert tree(root) == FILES


def test_a_hand_edit_is_reported_and_undone(root: Path) -> None:
    (root / "a/nodes/x.yaml").write_text("x: mine\n")
    (root / "b/nodes/y.yaml").write_text("y: mine\n")
    wanted = {path: text for path, text in FILES.items() if path[0] == "a"}
    assert check(root, wanted).edited == ("a/nodes/x.yaml", "b/nodes/y.yaml")
    done = build(root, wanted)
    assert (done.edited, done.written, done.removed) == (
        ("a/nodes/x.yaml", "b/nodes/y.yaml"), ("a/nodes/x.yaml",), ("b/nodes/y.yaml",)
    )  # fmt: skip
    assert tree(root) == wanted


def test_a_hand_edit_that_is_wanted_now_is_no_edit(root: Path) -> None:
    (root / "a/nodes/x.yaml").write_text("x: 2\n")
    done = build(root, {**FILES, "a/nodes/x.yaml": "x: 2\n"})
    assert (done.written, done.edited) == ((), ())


@pytest.mark.parametrize("path", ["README.md", "a/notes.txt", "a/nodes/.hidden", "other/x.yaml", "a/nodes/new.yaml"])
def test_a_foreign_file_stops_everything(root: Path, path: str) -> None:
    (root / path).parent.mkdir(exist_ok=True)
    (root / path).write_text("mine")
    before = state(root)
    wanted = {"a/nodes/new.yaml": "n: 1\n"}
    done = build(root, wanted)
    assert codes(done.diagnostics) == [("OUT001", f"{root}/{path}")] == codes(check(root, wanted).diagnostics)
    assert done[:-1] == Applied()[:-1]
    assert state(root) == before


def test_without_a_lock_nothing_is_ours(root: Path) -> None:
    """One finding when every file would be ours; with a stranger among them, one for each file."""
    (root / "gitgpu.lock").unlink()
    assert codes(build(root, FILES).diagnostics) == [("OUT003", f"{root}/gitgpu.lock")]
    (root / "mine.txt").write_text("dear")
    before = state(root)
    assert {code for code, _ in codes(build(root, FILES).diagnostics)} == {"OUT001"}
    assert len(build(root, FILES).diagnostics) == len(FILES) + 1
    assert state(root) == before


def test_a_directory_that_is_not_ours_is_not_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in range(20):
        (tmp_path / f"{name:02}").mkdir()
        (tmp_path / f"{name:02}/x").touch()
    monkeypatch.setattr("gitgpu.write.apply.ENOUGH", 5)
    told = codes(build(tmp_path, FILES).diagnostics)
    assert told == codes(check(tmp_path, FILES).diagnostics) == [("OUT001", f"{tmp_path}/{n:02}/x") for n in range(5)]


def test_a_temporary_of_another_run_is_told_of(tmp_path: Path) -> None:
    (tmp_path / ".gitgpu-write.tmp").write_text("half")
    [found] = create(str(tmp_path), {"fleet.yaml": "x"})
    assert (found.code, found.span.file) == ("OUT004", f"{tmp_path}/.gitgpu-write.tmp")


def test_an_empty_folder_of_somebody_is_left_alone(root: Path) -> None:
    (root / "mine/too").mkdir(parents=True)
    assert build(root, {}).diagnostics == ()
    assert tree(root) == {"mine/too": ""}


@pytest.mark.parametrize("link", ["a/nodes/link.yaml", "a/nodes/x.yaml", "a/nodes", "b", "gitgpu.lock", "new"])
def test_a_symbolic_link_stops_everything(root: Path, tmp_path: Path, link: str) -> None:
    outside = tmp_path / "outside"
    moved = (root / link).exists()
    if moved:
        (root / link).rename(outside)
    else:
        outside.mkdir()
    (root / link).symlink_to(outside)
    before = state(tmp_path)
    done = build(root, {"a/nodes/x.yaml": "x: 9\n", "new/x.yaml": "n: 1\n"})
    assert codes(done.diagnostics) == [("OUT002", f"{root}/{link}")]
    assert state(tmp_path) == before


def test_a_link_that_leads_nowhere_stops_everything_too(root: Path) -> None:
    (root / "a/dangling").symlink_to("nowhere")
    assert codes(build(root, FILES).diagnostics) == [("OUT002", f"{root}/a/dangling")]


def test_the_directory_itself_may_not_be_a_link_or_a_file(root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(root)
    (tmp_path / "file").write_text("x")
    assert codes(build(tmp_path / "link", {}).diagnostics) == [("OUT002", f"{tmp_path}/link")]
    assert codes(build(tmp_path / "file", {}).diagnostics) == [("OUT002", f"{tmp_path}/file")]
    assert tree(root) == FILES


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_not_waited_for(root: Path) -> None:
    (root / "a/nodes/x.yaml").unlink()
    os.mkfifo(root / "a/nodes/x.yaml")
    assert codes(build(root, FILES).diagnostics) == [("OUT002", f"{root}/a/nodes/x.yaml")]


def test_a_file_where_a_folder_belongs_and_the_other_way_round(root: Path) -> None:
    (root / "c.yaml").mkdir()
    wanted = {**FILES, "a/nodes/x.yaml/deep.yaml": "", "c.yaml": ""}
    del wanted["a/nodes/x.yaml"]
    refused = [("OUT002", f"{root}/a/nodes/x.yaml"), ("OUT002", f"{root}/c.yaml")]
    assert codes(build(root, wanted).diagnostics) == refused
    assert (root / "a/nodes/x.yaml").read_text() == "x: 1\n"


@pytest.mark.parametrize("path", ["../victim", "/{}/victim", "a/../../victim", "a\\..\\..\\victim", ""])
def test_a_forged_lock_removes_nothing(root: Path, tmp_path: Path, path: str) -> None:
    (tmp_path / "victim").write_text("dear")
    forged = json.loads((root / "gitgpu.lock").read_text())
    forged["files"][path.format(tmp_path)] = "0" * 64
    (root / "gitgpu.lock").write_text(json.dumps(forged))
    before = state(tmp_path)
    assert codes(build(root, {}).diagnostics) == [("OUT003", f"{root}/gitgpu.lock")]
    assert state(tmp_path) == before


def test_a_broken_lock_stops_everything(root: Path) -> None:
    (root / "gitgpu.lock").write_text("<<<<<<< HEAD\n")
    before = state(root)
    for seen in (build(root, {}), check(root, {})):
        assert codes(seen.diagnostics) == [("OUT003", f"{root}/gitgpu.lock")]
    assert not unchanged(str(root), STAMP)
    assert state(root) == before


@pytest.mark.parametrize("path", ["../x", "/x", "gitgpu.lock", "b/x.yaml"])
def test_a_path_that_is_not_of_this_build_is_a_bug(tmp_path: Path, path: str) -> None:
    with pytest.raises(ValueError, match="no path of this build"):
        build(tmp_path / "o", {path: ""}, scope=Scope(frozenset("a"), KNOWN))
    with pytest.raises(ValueError, match="no name"):
        apply("", {}, seal(STAMP, {}), WHOLE)
    assert list(tmp_path.iterdir()) == []


def test_a_partial_build_leaves_other_clusters_alone(root: Path) -> None:
    build(root, {**FILES, "gone/x.yaml": "g\n"})
    part = {"a/nodes/z.yaml": "z: 1\n"}
    new = STAMP._replace(inputs="j" * 64)
    done = build(root, part, new, Scope(frozenset("a"), KNOWN))
    assert (done.written, done.removed) == (("a/nodes/z.yaml",), ("a/kustomization.yaml", "a/nodes/x.yaml"))
    left = {"b/nodes/y.yaml": "y: é\n", "gone/x.yaml": "g\n", **part}
    assert tree(root) == left
    assert locked(root) == Lock(new._replace(inputs=""), seal(new, left).files)
    assert not unchanged(str(root), new)
    rest = {path: text for path, text in left.items() if path[0] != "g"}
    assert build(root, rest, new).removed == ("gone/x.yaml",)
    assert unchanged(str(root), new)


def test_a_partial_check_is_about_its_clusters(root: Path) -> None:
    (root / "b/nodes/y.yaml").write_text("edited")
    part = {path: text for path, text in FILES.items() if path[0] == "a"}
    assert check(root, part, STAMP._replace(inputs="j"), Scope(frozenset("a"), KNOWN)) == Comparison()


def test_a_check_shows_the_difference_and_writes_nothing(root: Path) -> None:
    wanted = {"a/kustomization.yaml": "k: a\n", "a/nodes/x.yaml": "x: 2\n", "c/new.yaml": "n: 1\n"}
    before = state(root)
    seen = check(root, wanted)
    assert seen.stale == ("a/nodes/x.yaml", "b/nodes/y.yaml", "c/new.yaml", "gitgpu.lock")
    assert seen.diffs == (
        f"--- {root}/a/nodes/x.yaml\n+++ {root}/a/nodes/x.yaml\n@@ -1 +1 @@\n-x: 1\n+x: 2\n",
        f"--- {root}/b/nodes/y.yaml\n+++ /dev/null\n@@ -1 +0,0 @@\n-y: é\n",
        f"--- /dev/null\n+++ {root}/c/new.yaml\n@@ -0,0 +1 @@\n+n: 1\n",
    )
    assert state(root) == before


def test_a_diff_survives_bytes_that_are_no_text(root: Path) -> None:
    (root / "a/nodes/x.yaml").write_bytes(b"\xff no end")
    assert "\\ No newline at end of file" in check(root, FILES).diffs[0]


def test_a_check_makes_no_directory(tmp_path: Path) -> None:
    assert check(tmp_path / "overlays", FILES).stale == (*sorted(FILES), "gitgpu.lock")
    assert list(tmp_path.iterdir()) == []


def test_a_new_stamp_alone_changes_the_lock_alone(root: Path) -> None:
    new = STAMP._replace(generator="gitgpu 0.2.0")
    assert check(root, FILES, new) == Comparison(stale=("gitgpu.lock",))
    assert build(root, FILES, new) == Applied(unchanged=tuple(sorted(FILES)))
    assert locked(root).stamp == new


def test_leftovers_of_a_killed_run_are_removed(root: Path) -> None:
    for folder in ("", "a/nodes/"):
        (root / f"{folder}.gitgpu-write.tmp").write_text("hal")
    assert not unchanged(str(root), STAMP)
    done = build(root, FILES)
    assert (done.written, done.removed, done.diagnostics) == ((), (), ())
    assert tree(root) == FILES


def test_unchanged_sees_every_difference(root: Path) -> None:
    def still() -> bool:
        return unchanged(str(root), STAMP)

    assert still()
    assert not any(unchanged(str(root), STAMP._replace(**{field: "other"})) for field in STAMP._fields)
    assert not unchanged(str(root / "none"), STAMP)
    (root / "foreign").write_text("")
    assert not still()
    (root / "foreign").unlink()
    (root / "a/nodes/x.yaml").write_text("x: 9\n")
    assert not still()
    (root / "a/nodes/x.yaml").unlink()
    assert not still()
    build(root, FILES)
    assert still()
    (root / "link").symlink_to("a")
    assert not still()


def test_a_lock_older_than_the_program_says_nothing(root: Path) -> None:
    when = (root / "gitgpu.lock").stat().st_mtime
    assert stamped(str(root), when - 1) == STAMP
    assert stamped(str(root), when + 1) is None


def test_unchanged_never_trusts_a_mixed_stamp(tmp_path: Path) -> None:
    mixed = STAMP._replace(inputs="")
    build(tmp_path, FILES, mixed)
    assert not unchanged(str(tmp_path), mixed)


@pytest.mark.parametrize("broken", ["replace", "unlink", "makedirs", "rmdir"])
def test_a_full_disk_is_a_diagnostic(root: Path, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    def fail(path: str, *rest: Any, **more: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", path)

    wanted = {"a/kustomization.yaml": "new\n", "c/x.yaml": "x\n"}
    monkeypatch.setattr(os, broken, fail)
    done = build(root, wanted)
    assert [code for code, _ in codes(done.diagnostics)] == ["OUT004"]
    assert done.diagnostics[0].span.file.startswith(str(root))
    assert "No space left" in done.diagnostics[0].message
    monkeypatch.undo()
    again = build(root, wanted)
    assert (again.diagnostics, again.edited) == ((), ())
    assert (tree(root), locked(root)) == (wanted, seal(STAMP, wanted))


def test_a_half_written_temporary_is_taken_away(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace = os.replace

    def fail(source: str, target: str) -> None:
        if target.endswith(".yaml"):
            raise OSError(errno.EROFS, "Read-only file system")
        replace(source, target)

    monkeypatch.setattr(os, "replace", fail)
    done = build(root, {**FILES, "a/nodes/x.yaml": "x: 2\n"})
    assert codes(done.diagnostics) == [("OUT004", f"{root}/a/nodes/x.yaml")]
    assert (done.written, tree(root)) == ((), FILES)
    monkeypatch.undo()
    assert build(root, FILES) == Applied(unchanged=tuple(sorted(FILES)))
    assert locked(root) == seal(STAMP, FILES)


def test_an_interrupted_write_leaves_no_temporary(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        put(str(root / "x.yaml"), "half")
    assert not (root / TEMPORARY).exists()


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_read_only_folder_is_a_diagnostic(root: Path) -> None:
    (root / "a/nodes").chmod(0o555)
    try:
        done = build(root, {**FILES, "a/nodes/x.yaml": "x: 2\n"})
        assert codes(done.diagnostics) == [("OUT004", f"{root}/a/nodes/x.yaml")]
    finally:
        (root / "a/nodes").chmod(0o755)


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="the superuser may read everything")
def test_an_unreadable_folder_is_a_diagnostic(root: Path) -> None:
    (root / "a/nodes").chmod(0)
    try:
        for seen in (build(root, FILES), check(root, FILES)):
            assert codes(seen.diagnostics) == [("OUT004", f"{root}/a/nodes/")]
        assert not unchanged(str(root), STAMP)
    finally:
        (root / "a/nodes").chmod(0o755)


@pytest.mark.skipif(sys.platform != "linux", reason="a file name of any bytes needs Linux")
def test_a_name_that_is_no_text_can_be_shown(root: Path) -> None:
    (root / os.fsdecode(b"\xff.yaml")).write_text("")
    assert build(root, FILES).diagnostics[0].span.file.encode()
