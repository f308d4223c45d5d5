"""The disk writer on real files: it changes generated files, refuses others, and does not touch correct ones."""

import builtins
import errno
import json
import os
import shutil
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from gitgpu.diagnostic import Diagnostic
from gitgpu.load.generated import advice
from gitgpu.write.apply import apply, compare, create
from gitgpu.write.atomic_file import TEMPORARY, write_file
from gitgpu.write.cache import Cache, Stamp
from gitgpu.write.cache_file import needs_no_build, read_cache, read_stamp
from gitgpu.write.cache_path import cache_path
from gitgpu.write.run_lock import lock, run_lock
from gitgpu.write.scope import Scope
from gitgpu.write.steps import Applied, Comparison
from gitgpu.write.tree import digest

STAMP = Stamp("gitgpu 0.1.0", "c" * 64, "i" * 64)
KNOWN = frozenset(("a", "b"))
WHOLE = Scope(KNOWN, KNOWN)


def headed(path: str, body: str) -> str:
    """The text of a generated file."""
    return f"# {advice(path)}\n{body}"


def made(**bodies: str) -> dict[str, str]:
    """Generated files by path: `a_x` is a/nodes/x.yaml."""
    paths = {f"{name[0]}/nodes/{name[2:]}.yaml": body for name, body in bodies.items()}
    return {path: headed(path, body) for path, body in paths.items()}


X, Y = "a/nodes/x.yaml", "b/nodes/y.yaml"
INDEX = "a/kustomization.yaml"
FILES = {INDEX: headed(INDEX, "k: a\n"), **made(a_x="x: 1\n", b_y="y: é\n")}
CHANGED = {**FILES, **made(a_x="x: 2\n")}


def build(root: Path, files: dict[str, str], stamp: Stamp = STAMP, scope: Scope = WHOLE) -> Applied:
    return apply(str(root), files, stamp, scope)


def check(root: Path, files: dict[str, str], stamp: Stamp = STAMP, scope: Scope = WHOLE) -> Comparison:
    return compare(str(root), files, stamp, scope)


def tree(root: Path) -> dict[str, str]:
    """Every manifest and every empty folder, by path."""
    paths = {p.relative_to(root).as_posix(): p for p in root.rglob("*") if p.is_file() or not any(p.iterdir())}
    return {path: p.read_text(encoding="utf-8") if p.is_file() else "" for path, p in paths.items()}


def state(root: Path) -> dict[str, tuple[int, int, int]]:
    """A state of files and folders that changes with every write."""
    stats = ((str(p), p.lstat()) for p in [root, *root.rglob("*")])
    return {path: (stat.st_mtime_ns, stat.st_ino, stat.st_size) for path, stat in stats}


def cached(root: Path) -> tuple[Stamp, dict[str, str]]:
    """The stamp and the files of the cache."""
    cache = read_cache(str(root))
    assert isinstance(cache, Cache)
    return cache.stamp, dict(cache.files)


def sealed(files: dict[str, str], stamp: Stamp = STAMP) -> tuple[Stamp, dict[str, str]]:
    """The expected content of the cache after a build."""
    return stamp, {path: digest(text.encode()) for path, text in files.items()}


def codes(diagnostics: tuple[Diagnostic, ...]) -> list[tuple[str, str]]:
    return [(d.code, d.span.file) for d in diagnostics]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An output directory after a complete build."""
    build(tmp_path / "overlays", FILES)
    return tmp_path / "overlays"


def test_a_first_build_writes_everything(tmp_path: Path) -> None:
    root = tmp_path / "deep" / "overlays"
    done = build(root, FILES)
    assert done == Applied(written=tuple(sorted(FILES)))
    assert tree(root) == FILES
    assert cached(root) == sealed(FILES)
    assert (root / Y).read_bytes().endswith("y: é\n".encode())


def test_a_second_build_touches_nothing(root: Path) -> None:
    before = state(root)
    assert build(root, FILES) == Applied(unchanged=tuple(sorted(FILES)))
    assert state(root) == before
    assert check(root, FILES) == Comparison()


def test_only_what_differs_is_replaced(root: Path) -> None:
    before = state(root)
    done = build(root, CHANGED)
    assert (done.written, done.edited) == ((X,), ())
    assert {path for path, value in state(root).items() if before.get(path) != value} == {
        f"{root}/a/nodes", f"{root}/{X}"
    }  # fmt: skip


def test_stale_files_and_the_folders_they_empty_are_removed(root: Path) -> None:
    wanted = {X: FILES[X]}
    assert build(root, wanted).removed == (INDEX, Y)
    assert tree(root) == wanted
    assert not (root / "b").exists()
    assert cached(root) == sealed(wanted)


def test_a_stale_file_may_already_be_deleted(root: Path) -> None:
    (root / "b/nodes/y.yaml").unlink()
    assert build(root, {}).removed == ("a/kustomization.yaml", "a/nodes/x.yaml")
    assert (tree(root), cached(root)) == ({}, sealed({}))


def test_a_deleted_file_is_written_again(root: Path) -> None:
    (root / "a/nodes/x.yaml").unlink()
    assert check(root, FILES).stale == ("a/nodes/x.yaml",)
    assert build(root, FILES).written == ("a/nodes/x.yaml",)
    assert tree(root) == FILES


def test_a_hand_edit_is_reported_and_undone(root: Path) -> None:
    (root / X).write_text("x: mine\n")
    (root / Y).write_text(headed(Y, "y: mine\n"))
    wanted = {path: text for path, text in FILES.items() if path[0] == "a"}
    assert check(root, wanted).edited == ("a/nodes/x.yaml", "b/nodes/y.yaml")
    done = build(root, wanted)
    assert (done.edited, done.written, done.removed) == (
        ("a/nodes/x.yaml", "b/nodes/y.yaml"), ("a/nodes/x.yaml",), ("b/nodes/y.yaml",)
    )  # fmt: skip
    assert tree(root) == wanted


def test_a_hand_edit_that_equals_the_new_output_is_not_reported(root: Path) -> None:
    (root / X).write_text(CHANGED[X])
    done = build(root, CHANGED)
    assert (done.written, done.edited) == ((), ())


@pytest.mark.parametrize("path", ["README.md", "a/notes.txt", "a/nodes/.hidden", "other/x.yaml", "a/nodes/new.yaml"])
def test_a_foreign_file_stops_everything(root: Path, path: str) -> None:
    (root / path).parent.mkdir(exist_ok=True)
    (root / path).write_text("mine")
    before = state(root)
    wanted = made(a_new="n: 1\n")
    done = build(root, wanted)
    assert codes(done.diagnostics) == [("OUT001", f"{root}/{path}")] == codes(check(root, wanted).diagnostics)
    assert done[:-1] == Applied()[:-1]
    assert state(root) == before


def test_without_a_cache_the_headers_decide_ownership(root: Path) -> None:
    os.unlink(cache_path(str(root)))
    (root / X).write_text(headed(X, "x: of another branch\n"))
    wanted = {path: text for path, text in FILES.items() if path != Y}
    assert build(root, wanted) == Applied((X,), (Y,), (INDEX,))
    assert (tree(root), cached(root)) == (wanted, sealed(wanted))


@pytest.mark.parametrize("path", ["a/nodes/copy.yaml", "c/nodes/x.yaml", "a/nodes/x.yaml.orig"])
def test_a_copy_of_a_generated_file_is_not_ours(root: Path, path: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(FILES[X])
    before = state(root)
    assert codes(build(root, FILES).diagnostics) == [("OUT001", f"{root}/{path}")]
    os.unlink(cache_path(str(root)))
    assert codes(build(root, FILES).diagnostics) == [("OUT001", f"{root}/{path}")]
    assert state(root) == before


@pytest.mark.parametrize("other", [X, "a/nodes/z.yaml"])
def test_a_file_with_conflict_markers_is_gitgpus_and_not_a_hand_edit(root: Path, other: str) -> None:
    """Whether or not the build writes the file, and wherever the markers are."""
    text = f"<<<<<<< HEAD\n# {advice('a/nodes/w.yaml')}\n=======\n# {advice(other)}\n>>>>>>> theirs\nx: 1\n"
    (root / other).write_text(text)
    done = build(root, FILES)
    assert (done.edited, done.diagnostics) == ((), ())
    assert tree(root) == FILES


def test_a_foreign_directory_is_not_read_completely(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in range(20):
        (tmp_path / f"{name:02}").mkdir()
        (tmp_path / f"{name:02}/x").touch()
    monkeypatch.setattr("gitgpu.write.tree.MAX_LISTED", 5)
    faults = codes(build(tmp_path, FILES).diagnostics)
    assert faults == codes(check(tmp_path, FILES).diagnostics) == [("OUT001", f"{tmp_path}/{n:02}/x") for n in range(5)]


def test_a_temporary_file_of_another_run_is_reported(tmp_path: Path) -> None:
    with (tmp_path / ".gitgpu-write.tmp").open("w") as other:
        lock(other.fileno())
        [diagnostic] = create(str(tmp_path), {"fleet.yaml": "x"})
    assert (diagnostic.code, diagnostic.span.file) == ("OUT004", f"{tmp_path}/.gitgpu-write.tmp")
    assert diagnostic.message == "another gitgpu process is writing here"
    assert diagnostic.help == "wait for it to finish; if no other gitgpu process is running, remove the file"


def test_an_empty_folder_of_the_user_is_kept(root: Path) -> None:
    (root / "mine/too").mkdir(parents=True)
    assert build(root, {}).diagnostics == ()
    assert tree(root) == {"mine/too": ""}


@pytest.mark.parametrize("link", ["a/nodes/link.yaml", "a/nodes/x.yaml", "a/nodes", "b", "n"])
def test_a_symbolic_link_stops_everything(root: Path, tmp_path: Path, link: str) -> None:
    outside = tmp_path / "outside"
    moved = (root / link).exists()
    if moved:
        (root / link).rename(outside)
    else:
        outside.mkdir()
    (root / link).symlink_to(outside)
    before = state(tmp_path)
    done = build(root, made(a_x="x: 9\n", n_x="n: 1\n"))
    assert codes(done.diagnostics) == [("OUT002", f"{root}/{link}")]
    assert state(tmp_path) == before


def test_a_broken_link_stops_everything(root: Path) -> None:
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
    (root / "a/c.yaml").mkdir()
    wanted = {**FILES, "a/nodes/x.yaml/deep.yaml": "", "a/c.yaml": ""}
    del wanted[X]
    refused = [("OUT002", f"{root}/a/c.yaml"), ("OUT002", f"{root}/a/nodes/x.yaml")]
    assert codes(build(root, wanted).diagnostics) == refused
    assert (root / X).read_text() == FILES[X]


@pytest.mark.parametrize("path", ["../victim", "/{}/victim", "a/../../victim", "a\\..\\..\\victim", "victim"])
def test_a_forged_cache_removes_nothing(root: Path, tmp_path: Path, path: str) -> None:
    for victim in (tmp_path / "victim", root / "victim"):
        victim.write_text("dear")
    cache = Path(cache_path(str(root)))
    head, _, rest = cache.read_text().partition("\n")
    forged = {**json.loads(head), "files": 4}
    cache.write_text(f"{json.dumps(forged)}\n{digest(b'dear')}  {path.format(tmp_path)}\n{rest}")
    before = state(root)
    assert [code for code, _ in codes(build(root, {}).diagnostics)] == ["OUT001"]
    assert state(root) == before
    assert (tmp_path / "victim").read_text() == "dear"


BROKEN = ("", "{", "[]\n", '{"apiVersion": "cache.gitgpu.dev/v0"}\n', '{"apiVersion": "cache.gitgpu.dev/v1"}\n')


@pytest.mark.parametrize("text", [*BROKEN, "<<<<<<< HEAD\n", "half", "\0", "more"])
def test_a_damaged_cache_is_reported_and_replaced(root: Path, text: str) -> None:
    cache = Path(cache_path(str(root)))
    whole = cache.read_text()
    cache.write_text({"half": whole[:-30], "more": f"{whole}{whole.splitlines()[-1]}x\n"}.get(text, text))
    assert not needs_no_build(str(root), STAMP._replace(inputs="j"))
    assert check(root, FILES) == Comparison()
    done = build(root, CHANGED)
    assert (done.written, done.edited) == ((X,), ())
    assert [(diagnostic.code, diagnostic.severity.value) for diagnostic in done.diagnostics] == [("OUT003", "info")]
    assert build(root, CHANGED).diagnostics == ()
    assert needs_no_build(str(root), STAMP)


def test_a_cache_that_cannot_be_written_is_not_an_error(tmp_path: Path) -> None:
    (tmp_path / ".gitgpu_cache").write_text("a file")
    assert build(tmp_path / "overlays", FILES).diagnostics == ()
    assert build(tmp_path / "overlays", CHANGED) == Applied((X,), (), tuple(sorted({*FILES} - {X})))
    assert not needs_no_build(str(tmp_path / "overlays"), STAMP)
    assert (tmp_path / ".gitgpu_cache").read_text() == "a file"


def test_git_ignores_the_cache(root: Path) -> None:
    assert (root.parent / ".gitgpu_cache/.gitignore").read_text() == "*\n"
    assert Path(cache_path(str(root))).parent == root.parent / ".gitgpu_cache"


@pytest.mark.parametrize("path", ["../x", "/x", "x.yaml", "b/x.yaml"])
def test_a_path_that_is_not_of_this_build_is_a_bug(tmp_path: Path, path: str) -> None:
    with pytest.raises(ValueError, match="not a path of this build"):
        build(tmp_path / "o", {path: ""}, scope=Scope(frozenset("a"), KNOWN))
    with pytest.raises(ValueError, match="no name"):
        apply("", {}, STAMP, WHOLE)
    assert list(tmp_path.iterdir()) == []


def test_a_partial_build_leaves_other_clusters_alone(root: Path) -> None:
    build(root, {**FILES, **made(g_x="g\n")})
    part = made(a_z="z: 1\n")
    new = STAMP._replace(inputs="j" * 64)
    done = build(root, part, new, Scope(frozenset("a"), KNOWN))
    assert (done.written, done.removed) == (("a/nodes/z.yaml",), (INDEX, X))
    left = {Y: FILES[Y], **made(g_x="g\n"), **part}
    assert tree(root) == left
    assert cached(root) == sealed(left, new._replace(inputs=""))
    assert not needs_no_build(str(root), new)
    rest = {path: text for path, text in left.items() if path[0] != "g"}
    assert build(root, rest, new).removed == ("g/nodes/x.yaml",)
    assert needs_no_build(str(root), new)


def test_a_partial_build_can_remove_files_of_no_cluster(root: Path) -> None:
    build(root, {**FILES, **made(g_x="g\n")})
    part = {path: text for path, text in FILES.items() if path[0] == "a"}
    assert build(root, part, scope=Scope(frozenset("a"), KNOWN)).removed == ()
    assert build(root, part, scope=Scope(frozenset("a"), KNOWN, others=True)).removed == ("g/nodes/x.yaml",)
    assert tree(root) == FILES


@pytest.mark.parametrize("path", ["b/nodes/mine.yaml", "README.md", "c/mine.yaml"])
def test_a_partial_build_ignores_other_clusters(root: Path, path: str) -> None:
    """It reports neither an edit nor a foreign file elsewhere."""
    (root / Y).write_text("edited")
    (root / path).parent.mkdir(exist_ok=True)
    (root / path).write_text("mine")
    part = {path: text for path, text in FILES.items() if path[0] == "a"}
    scope = Scope(frozenset("a"), KNOWN)
    assert check(root, part, STAMP._replace(inputs="j"), scope) == Comparison()
    assert build(root, part, scope=scope) == Applied(unchanged=tuple(sorted(part)))


def test_a_check_shows_the_difference_and_writes_nothing(root: Path) -> None:
    wanted = {INDEX: FILES[INDEX], **made(a_x="x: 2\n", a_new="n: 1\n")}
    before = state(root)
    seen = check(root, wanted)
    new, (advice_x, advice_y) = "a/nodes/new.yaml", (f" # {advice(X)}\n", f"-# {advice(Y)}\n")
    assert seen.stale == (new, X, Y)
    assert seen.diffs == (
        f"--- /dev/null\n+++ {root}/{new}\n@@ -0,0 +1,2 @@\n+# {advice(new)}\n+n: 1\n",
        f"--- {root}/{X}\n+++ {root}/{X}\n@@ -1,2 +1,2 @@\n{advice_x}-x: 1\n+x: 2\n",
        f"--- {root}/{Y}\n+++ /dev/null\n@@ -1,2 +0,0 @@\n{advice_y}-y: é\n",
    )
    assert state(root) == before


def test_a_diff_survives_bytes_that_are_not_text(root: Path) -> None:
    (root / "a/nodes/x.yaml").write_bytes(b"\xff no end")
    assert "\\ No newline at end of file" in check(root, FILES).diffs[0]


def test_a_check_creates_no_directory(tmp_path: Path) -> None:
    assert check(tmp_path / "overlays", FILES).stale == tuple(sorted(FILES))
    assert list(tmp_path.iterdir()) == []


def test_a_new_stamp_alone_changes_no_file(root: Path) -> None:
    new = STAMP._replace(generator="gitgpu 0.2.0")
    before = state(root)
    assert check(root, FILES, new) == Comparison()
    assert build(root, FILES, new) == Applied(unchanged=tuple(sorted(FILES)))
    assert (state(root), cached(root)) == (before, sealed(FILES, new))


def test_leftovers_of_a_killed_run_are_removed(root: Path) -> None:
    for folder in ("", "a/nodes/"):
        (root / f"{folder}.gitgpu-write.tmp").write_text("hal")
    assert not needs_no_build(str(root), STAMP)
    done = build(root, FILES)
    assert (done.written, done.removed, done.diagnostics) == ((), (), ())
    assert tree(root) == FILES


def test_unchanged_sees_every_difference(root: Path) -> None:
    def still() -> bool:
        return needs_no_build(str(root), STAMP)

    assert still()
    others = STAMP._replace(generator="other"), STAMP._replace(catalog="other"), STAMP._replace(inputs="other")
    assert not any(needs_no_build(str(root), other) for other in others)
    assert not needs_no_build(str(root / "none"), STAMP)
    (root / "foreign").write_text("")
    assert not still()
    (root / "foreign").unlink()
    (root / X).write_text(FILES[X].replace("x: 1", "x: 9"))  # of the same size, in the same clock tick
    assert not still()
    (root / "a/nodes/x.yaml").unlink()
    assert not still()
    build(root, FILES)
    assert still()
    (root / "link").symlink_to("a")
    assert not still()


def test_files_that_were_copied_are_known_by_their_content(root: Path, tmp_path: Path) -> None:
    shutil.copytree(root, tmp_path / "copy")
    shutil.rmtree(root)
    (tmp_path / "copy").rename(root)
    assert needs_no_build(str(root), STAMP)
    (root / X).write_text(CHANGED[X])
    assert not needs_no_build(str(root), STAMP)


def test_a_cache_of_an_older_program_is_ignored(root: Path) -> None:
    when = Path(cache_path(str(root))).stat().st_mtime
    assert read_stamp(str(root), when - 1) == STAMP
    assert read_stamp(str(root), when + 1) is None


def test_unchanged_never_trusts_a_mixed_stamp(tmp_path: Path) -> None:
    mixed = STAMP._replace(inputs="")
    build(tmp_path, FILES, mixed)
    assert not needs_no_build(str(tmp_path), mixed)


@pytest.mark.parametrize("broken", ["replace", "unlink", "makedirs", "rmdir"])
def test_a_full_disk_is_a_diagnostic(root: Path, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    def fail(path: str, *rest: Any, **more: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", path)

    wanted = {INDEX: headed(INDEX, "new\n"), **made(c_x="x\n")}
    monkeypatch.setattr(os, broken, fail)
    done = build(root, wanted)
    assert [code for code, _ in codes(done.diagnostics)] == ["OUT004"]
    assert done.diagnostics[0].span.file.startswith(str(root))
    assert "No space left" in done.diagnostics[0].message
    monkeypatch.undo()
    again = build(root, wanted)
    assert (again.diagnostics, again.edited) == ((), ())
    assert (tree(root), cached(root)) == (wanted, sealed(wanted))


def test_a_half_written_temporary_file_is_removed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace = os.replace

    def fail(source: str, target: str) -> None:
        if target.endswith(".yaml"):
            raise OSError(errno.EROFS, "Read-only file system")
        replace(source, target)

    monkeypatch.setattr(os, "replace", fail)
    done = build(root, CHANGED)
    assert codes(done.diagnostics) == [("OUT004", f"{root}/a/nodes/x.yaml")]
    assert (done.written, tree(root)) == ((), FILES)
    monkeypatch.undo()
    assert build(root, FILES) == Applied(unchanged=tuple(sorted(FILES)))
    assert cached(root) == sealed(FILES)


def test_an_interrupted_write_leaves_no_temporary_file(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_file(str(root / "x.yaml"), "half")
    assert not (root / TEMPORARY).exists()


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_read_only_folder_is_a_diagnostic(root: Path) -> None:
    (root / "a/nodes").chmod(0o555)
    try:
        done = build(root, CHANGED)
        assert codes(done.diagnostics) == [("OUT004", f"{root}/a/nodes/x.yaml")]
    finally:
        (root / "a/nodes").chmod(0o755)


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="the superuser may read everything")
def test_an_unreadable_folder_is_a_diagnostic(root: Path) -> None:
    (root / "a/nodes").chmod(0)
    try:
        for seen in (build(root, FILES), check(root, FILES)):
            assert codes(seen.diagnostics) == [("OUT004", f"{root}/a/nodes/")]
        assert not needs_no_build(str(root), STAMP)
    finally:
        (root / "a/nodes").chmod(0o755)


def test_a_folder_that_fails_is_a_diagnostic(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scandir = os.scandir

    def fail(path: str) -> Any:
        if path.endswith("/a/nodes/"):
            raise OSError(errno.EIO, "Input/output error", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", fail)
    for seen in (build(root, FILES), check(root, FILES)):
        assert codes(seen.diagnostics) == [("OUT004", f"{root}/a/nodes/")]
    assert not needs_no_build(str(root), STAMP)
    monkeypatch.undo()
    assert tree(root) == FILES


@pytest.mark.skipif(sys.platform != "linux", reason="a file name of any bytes needs Linux")
def test_a_file_name_that_is_not_utf_8_can_be_shown(root: Path) -> None:
    (root / os.fsdecode(b"\xff.yaml")).write_text("")
    assert build(root, FILES).diagnostics[0].span.file.encode()


def test_a_listed_file_without_a_header_that_is_not_as_it_was_is_not_removed(root: Path) -> None:
    (root / Y).write_text("# Ours\n")
    before = state(root)
    wanted = {path: text for path, text in FILES.items() if path != Y}
    assert codes(build(root, wanted).diagnostics) == [("OUT001", f"{root}/{Y}")]
    assert state(root) == before


def test_a_second_run_leaves_the_directory_to_the_first(root: Path) -> None:
    (root / "a/nodes/.gitgpu-write.tmp").write_text("half of what the first run writes")
    before = state(root)
    with run_lock(str(root)) as alone:
        assert alone
        assert codes(build(root, CHANGED).diagnostics) == [("OUT004", str(root))]
    assert state(root) == before
    assert build(root, FILES).diagnostics == ()


@pytest.mark.skipif(sys.platform == "win32", reason="directories cannot be locked there")
def test_a_second_run_leaves_a_new_directory_to_the_first(tmp_path: Path) -> None:
    with run_lock(str(tmp_path / "out")) as alone:
        assert alone
        faults = build(tmp_path / "out", FILES).diagnostics
        assert codes(faults) == [("OUT004", str(tmp_path / "out"))]
        assert (faults[0].message, faults[0].help) == (
            "another gitgpu process is writing here", "wait for it to finish",
        )  # fmt: skip


def test_runs_at_the_same_time_end_with_the_files_of_one_of_them(tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda number: build(tmp_path / "out", made(a_x=f"{number}\n")), range(40)))
    assert {diagnostic.code for run in done for diagnostic in run.diagnostics} <= {"OUT004"}
    assert all("another gitgpu process" in diagnostic.message for run in done for diagnostic in run.diagnostics)
    assert list(tree(tmp_path / "out")) == [X]


def test_a_file_that_can_be_read_only_once_is_a_diagnostic_of_a_check(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"{root}/{X}"
    reads: list[str] = []
    real_open = builtins.open

    def open_twice(file: Any, *rest: Any, **more: Any) -> Any:
        reads.append(str(file))
        if reads.count(path) > 2:
            raise OSError(errno.EIO, "Input/output error")
        return real_open(file, *rest, **more)

    monkeypatch.setattr("builtins.open", open_twice)
    seen = check(root, CHANGED)
    assert codes(seen.diagnostics) == [("OUT004", str(root))]
    assert seen.diagnostics[0].message == "Input/output error"
    assert seen.diagnostics[0].help == "fix the cause and run the command again: it continues from here"


def test_clusters_that_are_built_one_by_one_are_up_to_date(root: Path) -> None:
    new = STAMP._replace(inputs="j" * 64)
    wanted = {INDEX: headed(INDEX, "k: 2\n"), **made(b_y="y: 2\n")}
    build(root, {INDEX: wanted[INDEX]}, new, Scope(frozenset("a"), KNOWN))
    assert check(root, wanted, new).stale == (Y,)
    build(root, {Y: wanted[Y]}, new, Scope(frozenset("b"), KNOWN))
    assert check(root, wanted, new) == Comparison()


def test_a_partial_build_does_not_mark_other_clusters_as_checked(root: Path) -> None:
    """The next complete build checks them, even if this partial build changed nothing."""
    (root / Y).write_text("edited")
    (root / X).unlink()
    time.sleep(0.1)  # so that the edit is not one of the latest changes, which are compared by content
    part = {path: text for path, text in FILES.items() if path[0] == "a"}
    assert build(root, part, scope=Scope(frozenset("a"), KNOWN)).written == (X,)
    assert not needs_no_build(str(root), STAMP)
    assert build(root, FILES).edited == (Y,)
