"""Which files gitgpu owns, and which were edited manually, judging by headers, the last build and Git."""

from pathlib import Path

import pytest

from gitgpu.load.git_state import git_files
from gitgpu.write.cache import UNDECIDED
from gitgpu.write.ownership import LastBuild, files_to_ask_git, foreign_files, hand_edits
from gitgpu.write.tree import digest, look_at
from tests.journeys.repository import Repository, repository

BODY = "kind: Pool\n"


def headed(path: str, text: str = BODY) -> str:
    """A text with the header of a generated file."""
    return f"# Do not edit {path}: change the spec and run `gitgpu build`.\n{text}"


@pytest.fixture
def here(tmp_path: Path) -> Repository:
    """A repository with a commit."""
    made = repository(tmp_path / "here")
    write(made, "a/own.yaml", headed("a/own.yaml"))
    write(made, "a/bare.yaml", BODY)
    made.commit()
    return made


def write(here: Repository, path: str, text: str) -> None:
    """Writes a file in the output directory."""
    file = here.root / "out" / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def foreign(here: Repository, *wanted: str, last: dict[str, str] | None = None) -> list[str]:
    """The files that gitgpu does not own, if the build writes all of them with other content."""
    root = here.root / "out"
    on_disk = {}
    for path in sorted(root.rglob("*.yaml")):
        name = path.relative_to(root).as_posix()
        on_disk[name] = look_at(str(root), name)
    hashes, build = dict.fromkeys(wanted, "0"), LastBuild(last or {})
    git = git_files(str(root), files_to_ask_git(on_disk, hashes, build))
    return foreign_files(on_disk, hashes, build, git)


def edited(here: Repository, last: dict[str, str] | None = None, *, same: bool = False) -> tuple[str, ...]:
    """The files that were edited manually."""
    root = here.root / "out"
    names = [path.relative_to(root).as_posix() for path in sorted(root.rglob("*.yaml"))]
    on_disk, build = {name: look_at(str(root), name) for name in names}, LastBuild(last or {}, same)
    return hand_edits(on_disk, build, git_files(str(root), files_to_ask_git(on_disk, {}, build)))


def test_a_header_a_cache_or_the_committed_header_makes_a_file_gitgpus(here: Repository) -> None:
    write(here, "a/copy.yaml", headed("a/own.yaml"))
    write(here, "a/mine.yaml", BODY)
    assert foreign(here) == ["a/bare.yaml", "a/copy.yaml", "a/mine.yaml"]
    known = {"a/bare.yaml": digest(BODY.encode()), "a/mine.yaml": "0", "a/copy.yaml": "0"}
    assert foreign(here, last=known) == ["a/mine.yaml"]
    assert foreign(here, "a/bare.yaml", "a/copy.yaml", "a/mine.yaml") == ["a/bare.yaml", "a/mine.yaml"]
    assert foreign(here, "a/mine.yaml", last={"a/mine.yaml": "0"}) == ["a/bare.yaml", "a/copy.yaml"]
    write(here, "a/own.yaml", BODY)  # without a header, but the committed file has one
    assert "a/own.yaml" not in foreign(here, "a/own.yaml")
    assert "a/own.yaml" in foreign(here)


def test_a_file_that_git_moved_is_gitgpus_if_its_name_is_the_same(here: Repository) -> None:
    write(here, "b/own.yaml", headed("a/own.yaml"))
    write(here, "b/other.yaml", headed("a/own.yaml"))
    assert foreign(here) == ["a/bare.yaml", "b/other.yaml", "b/own.yaml"]
    here.git("add", "--all")
    assert foreign(here) == ["a/bare.yaml", "b/other.yaml"]


def test_without_git_the_headers_and_the_cache_decide(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    here = Repository(tmp_path)
    write(here, "a/own.yaml", headed("a/own.yaml"))
    write(here, "b/own.yaml", headed("a/own.yaml"))
    write(here, "a/bare.yaml", BODY)
    assert foreign(here, "a/bare.yaml") == ["a/bare.yaml", "b/own.yaml"]
    assert edited(here) == ()
    assert edited(here, {"a/own.yaml": "0", "a/bare.yaml": digest(BODY.encode()), "b/own.yaml": UNDECIDED}) == (
        "a/own.yaml",
    )


def test_a_file_that_differs_from_the_commit_was_edited(here: Repository) -> None:
    write(here, "a/new.yaml", headed("a/new.yaml"))
    assert edited(here) == ()
    assert edited(here, {"a/new.yaml": "0"}) == ("a/new.yaml",)
    write(here, "a/own.yaml", headed("a/own.yaml", "kind: Mine\n"))
    assert edited(here) == ("a/own.yaml",)
    write(here, "a/own.yaml", headed("a/own.yaml").replace("\n", "\r\n"))
    assert edited(here) == ()


def test_an_edit_is_known_even_if_it_was_committed_where_the_last_build_was_the_same(here: Repository) -> None:
    known = {"a/own.yaml": "0"}
    assert (edited(here, known), edited(here, known, same=True)) == ((), ("a/own.yaml",))
    assert edited(here, {"a/own.yaml": digest(headed("a/own.yaml").encode())}, same=True) == ()


def test_a_merge_is_not_an_edit_and_a_change_after_it_is(here: Repository) -> None:
    here.git("checkout", "--quiet", "-b", "other")
    write(here, "a/own.yaml", headed("a/own.yaml", "kind: Theirs\n"))
    here.commit()
    here.git("checkout", "--quiet", "main")
    here.git("merge", "--quiet", "--no-ff", "--no-commit", "other")
    known = {"a/own.yaml": digest(headed("a/own.yaml").encode())}
    assert edited(here, known, same=True) == ()
    write(here, "a/own.yaml", headed("a/own.yaml", "kind: Mine\n"))
    assert edited(here, known) == ("a/own.yaml",)
    write(here, "a/own.yaml", headed("a/own.yaml", "kind: Theirs\n"))
    here.git("commit", "--quiet", "--no-edit")
    assert edited(here, known, same=True) == ()  # the last commit is a merge


def test_a_file_with_a_conflict_is_not_an_edit(here: Repository) -> None:
    here.git("checkout", "--quiet", "-b", "other")
    write(here, "a/own.yaml", headed("a/own.yaml", "kind: Theirs\n"))
    here.commit()
    here.git("checkout", "--quiet", "main")
    write(here, "a/own.yaml", headed("a/own.yaml", "kind: Ours\n"))
    here.commit()
    here.git("merge", "--quiet", "other", fails=True)
    assert edited(here, {"a/own.yaml": "0"}) == ()
    write(here, "a/own.yaml", headed("a/own.yaml", "kind: Both\n"))
    assert edited(here, {"a/own.yaml": "0"}) == ()  # the conflict is being resolved
