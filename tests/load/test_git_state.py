"""The state of files in a Git work tree: committed, staged, and the sides of a merge or rebase."""

from pathlib import Path

import pytest

from gitgpu.load.git_state import (
    Checkout,
    checkout,
    committed_files,
    is_merging,
    merged_revisions,
    staged_files,
    unmerged_files,
)
from tests.load.test_git import call


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checkout:
    """A work tree with two branches that change the same file. The current directory is `out` in it."""
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    for name in ("USER", "AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "n")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "e@example.com")
    monkeypatch.chdir(tmp_path)
    call("init", "-q", "-b", "main")
    for branch, text in (("", "base"), ("other", "other"), ("main", "ours")):
        if branch:
            call("checkout", "-q", *(["-b"] if branch == "other" else []), branch)
        Path("out/a").mkdir(parents=True, exist_ok=True)
        Path("out/a/x.yaml").write_text(f"{text}\n", encoding="utf-8")
        call("add", ".")
        call("commit", "-q", "-m", text)
    work_tree = checkout("out")
    assert work_tree is not None
    return work_tree


def conflict(*words: str) -> None:
    """Runs a Git command that ends in a conflict."""
    with pytest.raises(Exception, match="non-zero"):
        call(*words)


def test_without_a_repository_or_a_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert checkout(".") is None
    call("init", "-q")
    assert checkout(".") is None


def test_what_is_committed_and_staged(tree: Checkout) -> None:
    top = str(Path.cwd())
    assert (tree, checkout("."), checkout("out/a/none")) == (
        Checkout(top, "out/"), Checkout(top, ""), Checkout(top, "out/a/none/"),
    )  # fmt: skip
    assert committed_files(tree, ["a/x.yaml", "a/none.yaml"]) == {"a/x.yaml": b"ours\n"}
    assert committed_files(tree, ["a/x.yaml"], "other") == {"a/x.yaml": b"other\n"}
    assert committed_files(tree, []) == {}
    Path("out/a/x.yaml").write_text("edited\n", encoding="utf-8")
    assert staged_files(tree, ["a/x.yaml"]) == {"a/x.yaml": b"ours\n"}
    call("add", ".")
    assert staged_files(tree, ["a/x.yaml", "b"]) == {"a/x.yaml": b"edited\n"}
    assert unmerged_files(tree, ["a/x.yaml"]) == frozenset()
    assert not is_merging(tree)
    assert merged_revisions(tree) == ()


@pytest.mark.parametrize("name", ["a/x\ny.yaml", "a/x.yaml\r", "a/\udcff.yaml", "a/ä \"'\t\\.yaml"])
def test_files_with_unusual_names_do_not_change_what_is_known_about_others(tree: Checkout, name: str) -> None:
    names = [name, "a/x.yaml", "a/none.yaml"]
    assert committed_files(tree, names) == staged_files(tree, names) == {"a/x.yaml": b"ours\n"}


@pytest.mark.parametrize("name", ["a/\udcff.yaml", "a/ä \"'\t\\.yaml"])
def test_content_of_files_with_unusual_names(tree: Checkout, name: str) -> None:
    Path("out", name).write_text("unusual\n", encoding="utf-8")
    call("add", ".")
    call("commit", "-q", "-m", "unusual")
    assert committed_files(tree, [name, "a/x.yaml"]) == {name: b"unusual\n", "a/x.yaml": b"ours\n"}


def test_during_a_merge_and_after_it(tree: Checkout) -> None:
    conflict("merge", "other")
    assert (is_merging(tree), merged_revisions(tree)) == (True, ("HEAD", "MERGE_HEAD"))
    assert unmerged_files(tree, ["a/x.yaml", "a/y.yaml"]) == {"a/x.yaml"}
    assert staged_files(tree, ["a/x.yaml"]) == {"a/x.yaml": b"base\n"}
    Path("out/a/x.yaml").write_text("both\n", encoding="utf-8")
    call("add", ".")
    assert (staged_files(tree, ["a/x.yaml"]), unmerged_files(tree, ["a/x.yaml"])) == (
        {"a/x.yaml": b"both\n"},
        frozenset(),
    )
    call("commit", "-q", "-m", "merge")
    assert (is_merging(tree), merged_revisions(tree)) == (True, ("HEAD^1", "HEAD^2"))
    call("commit", "-q", "--allow-empty", "-m", "more")
    assert (is_merging(tree), merged_revisions(tree)) == (False, ())


def test_during_a_cherry_pick(tree: Checkout) -> None:
    conflict("cherry-pick", "other")
    assert (is_merging(tree), merged_revisions(tree)) == (True, ("HEAD", "CHERRY_PICK_HEAD"))


def test_during_a_revert(tree: Checkout) -> None:
    conflict("revert", "HEAD~1")
    assert (is_merging(tree), merged_revisions(tree)) == (True, ("HEAD", "REVERT_HEAD"))


def test_during_a_rebase_and_right_after_it(tree: Checkout) -> None:
    before = call("rev-parse", "HEAD").strip()
    conflict("rebase", "other")
    onto = call("rev-parse", "other").strip()
    assert is_merging(tree)
    revisions = merged_revisions(tree)
    assert revisions[:2] == ("HEAD", "REBASE_HEAD")
    assert onto in revisions
    Path("out/a/x.yaml").write_text("both\n", encoding="utf-8")
    call("add", ".")
    call("-c", "core.editor=true", "rebase", "--continue")
    assert {"HEAD", "ORIG_HEAD", onto} <= {*merged_revisions(tree)}
    assert call("rev-parse", "ORIG_HEAD").strip() == before


@pytest.fixture
def apart(tree: Checkout) -> Checkout:
    """The same work tree, with a branch `apart` whose changes do not conflict with those of `main`."""
    call("checkout", "-q", "-b", "apart", "HEAD~1")
    Path("out/b.yaml").write_text("apart\n", encoding="utf-8")
    call("add", ".")
    call("commit", "-q", "-m", "apart")
    call("checkout", "-q", "main")
    return tree


def test_after_a_pull(apart: Checkout) -> None:
    """A pull can merge, rebase, or only move forward. In the reflog, each of them starts with `pull`."""
    ours = call("rev-parse", "HEAD").strip()
    call("pull", "-q", "--no-rebase", "--no-edit", ".", "apart")
    assert merged_revisions(apart) == ("HEAD^1", "HEAD^2")
    call("reset", "-q", "--hard", ours)
    call("pull", "-q", "--rebase", ".", "apart")
    onto = call("rev-parse", "apart").strip()
    assert (is_merging(apart), merged_revisions(apart)) == (False, ("HEAD", "ORIG_HEAD", onto))
    call("reset", "-q", "--hard", "apart~1")
    call("pull", "-q", ".", "apart")
    assert merged_revisions(apart) == ()


def test_after_a_pull_on_top_of_an_earlier_rebase(apart: Checkout) -> None:
    call("rebase", "-q", "apart")
    assert merged_revisions(apart)[:2] == ("HEAD", "ORIG_HEAD")
    call("branch", "ahead", "HEAD")
    call("reset", "-q", "--hard", "HEAD~1")
    call("pull", "-q", ".", "ahead")
    assert merged_revisions(apart) == ()


def test_a_name_with_a_line_break_is_not_a_file_of_a_revision(tree: Checkout) -> None:
    assert committed_files(tree, ["a/none\n.yaml"]) == {}
