"""The files in an output directory: how they are found and compared, and what prevents writing there."""

from pathlib import Path

import pytest

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.source import Span
from gitgpu.write.atomic_file import TEMPORARY
from gitgpu.write.changes import Changes, blocking_faults, changes, folders_of, not_ours
from gitgpu.write.scope import Scope
from gitgpu.write.spec.allowances import with_allowances
from gitgpu.write.tree import Tree, look_at, walk
from gitgpu.write.unified_diff import diff
from tests.helping.cases import for_each

ALL = Scope(frozenset(), frozenset())
ONLY_A = Scope(frozenset("a"), frozenset("ab"))
HASH = "0" * 64


def made(root: Path, *paths: str) -> str:
    """A directory with empty files, and with folders for paths that end with a slash."""
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).mkdir() if path.endswith("/") else (root / path).write_bytes(b"")
    return str(root)


def test_everything_below_a_directory(tmp_path: Path) -> None:
    root = made(tmp_path / "o", "x", "a/b/c", f"a/{TEMPORARY}", f"b/{TEMPORARY}", "b/d", "e/")
    (tmp_path / "o/a/link").symlink_to("b")
    assert walk(root, ALL, known=True) == Tree(
        frozenset({"x", "a/b/c", "b/d"}),
        frozenset({"a", "a/b", "b", "e"}),
        (f"a/{TEMPORARY}", f"b/{TEMPORARY}"),
        ("a/link",),
    )
    assert walk(root, ONLY_A, known=True) == Tree(
        frozenset({"a/b/c"}), frozenset({"a", "a/b"}), (f"a/{TEMPORARY}",), ("a/link",)
    )


def test_what_is_not_a_directory(tmp_path: Path) -> None:
    made(tmp_path, "file", "folder/x")
    (tmp_path / "link").symlink_to("folder")
    assert walk(str(tmp_path / "none"), ALL, known=True) == Tree()
    assert walk(str(tmp_path / "file"), ALL, known=True) == Tree(odd=("",))
    assert walk(str(tmp_path / "link"), ALL, known=True) == Tree(odd=("",))


@pytest.mark.parametrize(("files", "expected"), [(999, 1000), (1000, 1000), (1001, 1001)])
def test_at_most_a_thousand_files_of_a_foreign_directory_are_read(tmp_path: Path, files: int, expected: int) -> None:
    root = made(tmp_path / "o", *(f"a/{number}" for number in range(files)), "b/last")
    assert len(walk(root, ALL, known=False).files) == expected
    assert len(walk(root, ALL, known=True).files) == files + 1


def test_a_file_with_the_line_ends_of_windows_is_the_one_that_git_keeps(tmp_path: Path) -> None:
    (tmp_path / "crlf").write_bytes(b"a\r\nb\r\n")
    (tmp_path / "lf").write_bytes(b"a\nb\n")
    (tmp_path / "conflict").write_bytes(b"# Do not edit a/b: change the spec and run `gitgpu build`.\n<<<<<<< ours\n")
    crlf, lf, conflict = (look_at(str(tmp_path), name) for name in ("crlf", "lf", "conflict"))
    assert crlf.sha256 != lf.sha256 == lf.checked_in == crlf.checked_in
    assert (lf.claimed, lf.has_conflict) == (frozenset(), False)
    assert (conflict.claimed, conflict.has_conflict) == (frozenset({"a/b"}), True)


def test_files_that_differ_or_leave() -> None:
    disk = {"a": "1", "b": "2", "d": "4", "c": "3"}
    wanted = {"f": "6", "b": "0", "a": "1", "e": "5"}
    assert changes(disk, wanted, ("b",)) == Changes(("b", "e", "f"), ("c", "d"), ("a",), ("b",))


def test_every_folder_above_a_file() -> None:
    assert folders_of(["a/b/c", "a/b/d", "e/f", "g"]) == {"a", "a/b", "e"}


def test_folders_and_files_in_the_way() -> None:
    tree = Tree(frozenset({"a", "b/x"}), frozenset({"c", "d"}), odd=("z", "e"))
    blocking = [
        (fault.span.file, fault.message.partition(" is expected")[0])
        for fault in blocking_faults("o", tree, ["a/x", "c"])
    ]
    assert blocking == [
        ("o/a", "a folder"),
        ("o/c", "a regular file or folder"),
        ("o/e", "a regular file or folder"),
        ("o/z", "a regular file or folder"),
    ]
    (fault, *_) = blocking_faults("o", tree, ["a/x", "c"])
    assert (fault.message, fault.help) == ("a folder is expected here; nothing was written", "remove it manually")
    assert [(fault.code, fault.span) for fault in blocking_faults("o", Tree(odd=("",)), ["a"])] == [
        ("OUT002", Span("o"))
    ]
    (fault,) = blocking_faults("o", Tree(odd=("",)), ["a"])
    assert fault.message == "is not a separate directory; nothing was written"
    assert fault.help == "use another output directory"
    assert not_ours("o", "a\udcff").span == Span("o/a\\udcff")


@for_each(
    ("before", "after", "lines"),
    [
        ("", "a\n", ["--- /dev/null", "+++ o/x", "@@ -0,0 +1 @@", "+a"]),
        ("a\n", "", ["--- o/x", "+++ /dev/null", "@@ -1 +0,0 @@", "-a"]),
        ("a\n", "a", ["--- o/x", "+++ o/x", "@@ -1 +1 @@", "-a", "+a", "\\ No newline at end of file"]),
        ("a\rb\fc\n", "a\rb\fd\n", ["--- o/x", "+++ o/x", "@@ -1 +1 @@", "-a\rb\fc", "+a\rb\fd"]),
        ("a\n", "a\n", []),
    ],
)
def test_patch_can_apply_a_diff(before: str, after: str, lines: list[str]) -> None:
    assert diff("o/x", before, after) == "".join(f"{line}\n" for line in lines)


def test_a_name_cannot_add_a_line_to_a_diff() -> None:
    assert diff("o/x\n+y", "a", "").splitlines()[0] == r"--- o/x\n+y"


def test_errors_of_an_import_are_suppressed_above_their_lines() -> None:
    text = "a: 1\n  b:\n    c: 2\nd: 3"
    places = [("B2", "f", 2), ("A1", "f", 2), ("A1", "f", 2), ("C3", "f", 4), ("D4", "g", 1)]
    diagnostics = [Diagnostic(code, Severity.ERROR, "", "", Span(file, line, 1)) for code, file, line in places]
    assert with_allowances({"f": text, "h": "e: 4\n"}, diagnostics) == {
        "f": "a: 1\n  # gitgpu: ignore[A1, B2] the running cluster already has this\n  b:\n    c: 2\n"
        "# gitgpu: ignore[C3] the running cluster already has this\nd: 3\n",
        "h": "e: 4\n",
    }
