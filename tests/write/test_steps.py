"""The steps that change an output directory, in order, and the writing of single files of the user."""

from pathlib import Path

import pytest

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.source import Span
from gitgpu.write.apply import create
from gitgpu.write.atomic_file import TEMPORARY, rewrite
from gitgpu.write.cache import Cache
from gitgpu.write.changes import Changes, folders_of
from gitgpu.write.run import run
from gitgpu.write.run_lock import lock
from gitgpu.write.scope import Scope, is_inside, prove
from gitgpu.write.spec.allowances import with_allowances
from gitgpu.write.spec.apply import write_spec
from gitgpu.write.steps import Act, Step, View, preparations, removals
from gitgpu.write.tree import Tree
from gitgpu.write.unified_diff import diff
from tests.helping.cases import for_each

EVERY = Scope(frozenset("ab"), frozenset("ab"))
NOTHING = Changes((), (), (), ())


EMPTY = Tree()


def view(changes: Changes = NOTHING, tree: Tree = EMPTY, gone: frozenset[str] = frozenset()) -> View:
    """The state that a run starts from."""
    return View(tree, Cache(), Cache(), changes, EVERY, gone)


@for_each(
    ("seen", "is_current", "before", "after"),
    [
        (view(), True, [], []),
        (view(Changes(("a/n/x", "b/y"), (), (), ())), False,
         ["make-folder "], []),
        (view(Changes(("a/n/x",), (), (), ()), Tree(folders=frozenset({"a"}))), False,
         ["make-folder "], []),
        (view(Changes((), ("a/n/x", "a/z"), (), ()), Tree(folders=frozenset({"a", "a/n", "b"}))), False, [],
         ["remove a/n/x", "remove a/z", "remove-folder a/n", "remove-folder a"]),
        (view(tree=Tree(leftovers=("a/t",))), False, ["remove a/t"], []),
        (view(gone=frozenset({"b/n/x"}), tree=Tree(folders=frozenset({"b"}))), True, [], ["remove-folder b"]),
    ],
)  # fmt: skip
def test_the_steps_of_a_run(seen: View, is_current: bool, before: list[str], after: list[str]) -> None:
    assert seen.is_current is is_current
    assert [f"{step.act} {step.path}" for step in preparations(seen)] == before
    assert [f"{step.act} {step.path}" for step in removals(seen)] == after


def test_the_folders_above_files() -> None:
    assert folders_of(["a/b/c", "a/d", "e"]) == {"a", "a/b"}
    assert folders_of([]) == set()


@for_each(
    ("path", "inside"),
    [("a/b", True), ("a", True), ("", False), ("/a", False), ("a/", False), ("a//b", False), ("./a", False),
     ("a/../b", False), ("a/..b", True), ("a\\b", False), ("c:a", False), ("a\nb", False), ("a\tb", False)],
)  # fmt: skip
def test_paths_below_the_output_directory(path: str, inside: bool) -> None:
    assert is_inside(path) is inside


def test_paths_that_a_build_must_not_write() -> None:
    prove("out", ["a/x", "b/x"], EVERY)
    some = Scope(frozenset("a"), frozenset("ab"))
    for path in ("x", "../x", "b/x"):
        with pytest.raises(ValueError, match="is not a path of this build"):
            prove("out", ["a/x", path], some)
    with pytest.raises(ValueError, match=r"^the output directory has no name$"):
        prove("", [], EVERY)


def test_new_files_are_written_only_if_none_exists(tmp_path: Path) -> None:
    (tmp_path / "b").write_text("old")
    faults = create(str(tmp_path), {"a/x": "1", "b": "2"})
    assert [(fault.code, fault.span.file, fault.message) for fault in faults] == [
        ("OUT005", f"{tmp_path}/b", "already exists")
    ]
    assert not (tmp_path / "a").exists()
    assert create(str(tmp_path), {"a/x": "1", "c": "2"}) == ()
    assert ((tmp_path / "a/x").read_text(), (tmp_path / "c").read_text()) == ("1", "2")


def test_a_run_stops_at_the_first_fault(tmp_path: Path) -> None:
    root = str(tmp_path)
    (tmp_path / "file").write_text("x")
    steps = [Step(Act.MAKE_FOLDER, "a"), Step(Act.PUT, "a/x", "1"), Step(Act.REMOVE, "none"), Step(Act.PUT, "a/y", "2")]
    done = run(root, steps)
    assert (done.paths, [fault.span.file for fault in done.faults]) == (("a", "a/x"), [f"{root}/none"])
    assert done.faults[0].code == "OUT004"
    assert not (tmp_path / "a/y").exists()
    [fault] = run(root, [Step(Act.MAKE_FOLDER, "file")]).faults
    assert (fault.span.file, fault.message) == (f"{root}/file", "File exists")
    with (tmp_path / "a" / TEMPORARY).open("w") as other:
        lock(other.fileno())
        [fault] = run(root, [Step(Act.PUT, "a/y", "2")]).faults
    assert (fault.span.file, fault.message) == (f"{root}/a/{TEMPORARY}", "another gitgpu process is writing here")
    assert run(root, [Step(Act.REMOVE_FOLDER, "a")]) == (("a",), ())
    assert (tmp_path / "a").is_dir()


def test_a_file_of_the_user_is_rewritten_with_its_mode(tmp_path: Path) -> None:
    file, link, other = tmp_path / "a", tmp_path / "link", tmp_path / "other"
    file.write_text("old")
    file.chmod(0o640)
    assert rewrite(str(file), "new") == ()
    assert (file.read_text(), file.stat().st_mode & 0o777) == ("new", 0o640)
    link.symlink_to(file)
    other.symlink_to(file)
    [fault] = rewrite(str(link), "x")
    assert (fault.code, fault.message) == ("OUT011", "is a symbolic link: nothing was written there")
    assert fault.help == "use the path of its target"
    assert rewrite(str(link), "x", [str(file)]) == ()
    assert len(rewrite(str(link), "x", [str(other)])) == 1, "another link is not written either"
    assert len(rewrite(str(link), "x", [str(link)])) == 1
    assert file.read_text() == "new"
    [fault] = rewrite(str(tmp_path), "x")
    assert (fault.message, fault.help) == ("is not a regular file: nothing was written there", "use a regular file")
    [fault] = rewrite(str(tmp_path / "none"), "x")
    assert (fault.code, fault.message) == ("OUT004", "No such file or directory")
    with (tmp_path / TEMPORARY).open("w") as writing:
        lock(writing.fileno())
        [fault] = rewrite(str(file), "x")
    assert (fault.code, fault.span.file) == ("OUT004", f"{tmp_path}/{TEMPORARY}")


def test_a_spec_replaces_files_only_with_force(tmp_path: Path) -> None:
    root = str(tmp_path)
    assert write_spec(root, {"a/x": "1"}, force=False) == ()
    [fault] = write_spec(root, {"a/x": "2", "b": "3"}, force=False)
    assert (fault.code, fault.help) == ("OUT005", "use another directory with --out, or replace it with --force")
    assert not (tmp_path / "b").exists()
    assert write_spec(root, {"a/x": "2", "c/b": "3"}, force=True) == ()
    assert ((tmp_path / "a/x").read_text(), (tmp_path / "c/b").read_text()) == ("2", "3")
    [fault] = write_spec(root, {"a/x/y": "2"}, force=True)
    assert (fault.code, fault.span.file) == ("OUT004", f"{root}/a/x/y")


def finding(code: str) -> Diagnostic:
    """A finding about the second line."""
    return Diagnostic(code, Severity.ERROR, "wrong", "correct it", Span("f.yaml", 2, 3))


def test_comments_that_allow_what_runs_already() -> None:
    text = "a: 1\n  b: 2\nc: 3"
    diagnostics = [finding("NPL002"), finding("ANC001"), finding("NPL002")]
    assert with_allowances({"f.yaml": text, "g.yaml": "x\n"}, diagnostics) == {
        "f.yaml": "a: 1\n  # gitgpu: ignore[ANC001, NPL002] the running cluster already has this\n  b: 2\nc: 3\n",
        "g.yaml": "x\n",
    }


def test_diffs_that_patch_can_apply() -> None:
    assert diff("a", "x\n", "x\n") == ""
    assert diff("a", "", "x\n") == "--- /dev/null\n+++ a\n@@ -0,0 +1 @@\n+x\n"
    assert diff("a", "x\n", "") == "--- a\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
    assert diff("a\nb", "x\n", "y") == ("--- a\\nb\n+++ a\\nb\n@@ -1 +1 @@\n-x\n+y\n\\ No newline at end of file\n")
    assert diff("a", "x\u2028y\n", "x\u2028z\n").count("\n") == 5
