"""Reading a Git revision: existing and missing ones, and names that try to inject options."""

import subprocess
from pathlib import Path

import pytest

from gitgpu.diagnostic import Diagnostic
from gitgpu.load import git
from gitgpu.load.git import Revision, read_revision, revision


def call(*words: str) -> str:
    """Runs git in the current directory."""
    identity = ("-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "commit.gpgsign=false")
    return subprocess.run(["git", *identity, *words], check=True, capture_output=True, text=True).stdout


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one commit, and an uncommitted edit."""
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    call("init", "-q", "-b", "main")
    (tmp_path / "out" / "c" / "nodes").mkdir(parents=True)
    (tmp_path / "out" / "c" / "nodes" / "a.yaml").write_text("a: 1\n")
    (tmp_path / "out" / "c" / "nodes" / "ü b.yaml").write_text("ü: 2\n", encoding="utf-8")
    (tmp_path / "out" / "notes.txt").write_text("{}")
    (tmp_path / "out" / "link.yaml").symlink_to("c/nodes/a.yaml")
    (tmp_path / "fleet.yaml").write_text("f: 1\n")
    (tmp_path / ".gitattributes").write_text("out/** export-ignore\n*.yaml text eol=crlf\n")
    call("add", ".")
    call("commit", "-q", "-m", "one")
    (tmp_path / "out" / "c" / "nodes" / "a.yaml").write_text("a: 3\n")
    return tmp_path


def at(name: str = "HEAD", beside: str = "out") -> Revision:
    """The files at an existing revision."""
    result = revision(name, beside)
    assert isinstance(result, Revision), result
    return result


def refused(name: str, beside: str = "out") -> Diagnostic:
    """Why a revision cannot be read."""
    result = revision(name, beside)
    assert isinstance(result, Diagnostic), result
    return result


@pytest.mark.parametrize("name", ["HEAD", "main", "refs/heads/main", "HEAD~0", "@", "main^{commit}"])
def test_files_are_those_of_the_commit(repository: Path, name: str) -> None:
    texts, faults = read_revision(at(name), "out")
    assert faults == []
    assert {text.label: text.content for text in texts} == {"c/nodes/a.yaml": "a: 1\n", "c/nodes/ü b.yaml": "ü: 2\n"}
    assert texts[0].name == f"{name}:out/c/nodes/a.yaml"
    assert (repository / "out/c/nodes/a.yaml").read_text() == "a: 3\n"
    assert call("status", "--short") == " M out/c/nodes/a.yaml\n"


@pytest.mark.parametrize("name", ["\udcff", "a\nb", "b\r"])
def test_names_of_folders_can_have_any_character(repository: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    moved = repository / name
    moved.mkdir()
    for path in (".git", "out"):
        (repository / path).rename(moved / path)
    (moved / "out" / "c").rename(moved / "out" / name)
    monkeypatch.chdir(moved)
    call("add", ".")
    call("commit", "-q", "-m", "moved")
    texts, faults = read_revision(at("HEAD", f"out/{name}"), f"out/{name}")
    assert faults == []
    assert {text.label: text.content for text in texts} == {"nodes/a.yaml": "a: 3\n", "nodes/ü b.yaml": "ü: 2\n"}


def test_a_file_is_named_by_its_bare_name(repository: Path) -> None:
    assert [(text.label, text.content) for text in read_revision(at(), "fleet.yaml")[0]] == [("fleet.yaml", "f: 1\n")]


def test_a_file_that_is_not_in_the_commit_is_absent(repository: Path) -> None:
    assert read_revision(at(), "other") == ([], [])


def test_a_revision_is_read_from_a_subdirectory(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository / "out" / "c")
    assert len(read_revision(at("HEAD", "../../out"), "../../out")[0]) == 2


@pytest.mark.parametrize("path", ["..", "../elsewhere"])
def test_a_path_outside_is_refused(repository: Path, path: str) -> None:
    (fault,) = read_revision(at(), path)[1]
    assert (fault.code, fault.message) == ("INP007", f"{path} is outside the Git repository {repository}")
    assert fault.help == "use a path inside the repository"


def test_the_whole_repository_can_be_read(repository: Path) -> None:
    (repository / "..a.yaml").write_text("a: 1\n")
    call("add", ".")
    call("commit", "-q", "-m", "two")
    labels = ["..a.yaml", "fleet.yaml", "out/c/nodes/a.yaml", "out/c/nodes/ü b.yaml"]
    assert [text.label for text in read_revision(at(), ".")[0]] == labels
    assert [text.label for text in read_revision(at(), "..a.yaml")[0]] == ["..a.yaml"]


def test_the_repository_is_found_from_a_path_that_does_not_exist(repository: Path) -> None:
    assert at("HEAD", "out/none/deeper.yaml").top == str(repository)


@pytest.mark.parametrize(
    ("size", "code", "message"),
    [(2**20, "INP002", "contains a NUL character"), (2**20 + 1, "INP003", "larger than 1 MiB")],
)
def test_a_file_that_is_too_large_is_not_read(
    repository: Path, monkeypatch: pytest.MonkeyPatch, size: int, code: str, message: str
) -> None:
    """With a lower limit, because a file of 32 MiB takes 100 MB to read."""
    monkeypatch.setattr("gitgpu.load.git.MAX_BYTES", 2**20)
    with (repository / "out" / "zeros.yaml").open("wb") as file:
        file.truncate(size)
    call("add", ".")
    call("commit", "-q", "-m", "two")
    _, [fault] = read_revision(at(), "out")
    assert (fault.code, fault.message, fault.span.file) == (code, message, "HEAD:out/zeros.yaml")


@pytest.mark.parametrize(
    "name",
    ["", "--upload-pack=touch x", "-h", "--all", "nowhere", "HEAD:out", "a\nb", "HEAD\0x", "$(touch x)", "main^{tree}"],
)
def test_an_invalid_revision_is_refused_and_never_used_as_an_option(repository: Path, name: str) -> None:
    assert refused(name).code == "INP008"
    assert not (repository / "x").exists()
    assert not (repository / "out" / "x").exists()


@pytest.mark.parametrize("name", ["", "-h", "a\tb"])
def test_git_is_not_run_for_an_invalid_name(name: str, tmp_path: Path) -> None:
    """Outside a repository, Git itself would report another error."""
    assert refused(name, str(tmp_path)).message == f"{name!r} is not a Git revision"


def test_outside_of_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert refused("HEAD", ".").code == "INP007"
    assert refused("HEAD", ".").message.startswith("git says: not a git repository")
    expected = "run this inside a Git work tree that you can read, or pass a directory that exists"
    assert refused("HEAD", ".").help == expected


def test_a_git_command_that_fails_without_a_message(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    silent = repository / "bin"
    silent.mkdir()
    (silent / "git").write_text("#!/bin/sh\nexit 3\n")
    (silent / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{silent}:/usr/bin:/bin")
    with pytest.raises(git.GitFailedError) as failed:
        git.git_output(".", "status")
    assert failed.value.args[0].message == "git says: it ended with status 3"


def test_environment_variables_of_git_have_no_effect(
    repository: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path_factory.mktemp("other")
    monkeypatch.setenv("GIT_DIR", str(other))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(other))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "broken")
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "false")
    monkeypatch.setenv("GIT_TRACE", str(other / "trace"))
    assert len(read_revision(at(), "out")[0]) == 2
    assert list(other.iterdir()) == []


def test_git_does_not_prompt_fetch_or_take_locks_whatever_the_user_sets(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }
    for name in settings:
        monkeypatch.setenv(name, "https" if name == "GIT_ALLOW_PROTOCOL" else "true")
    environment = git.git_output(".", "-c", "alias.environment=!env", "environment").decode().splitlines()
    assert {f"{name}={value}" for name, value in settings.items()} <= {*environment}


def test_a_revision_cannot_be_read_without_git(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repository / "empty"))
    fault = refused("HEAD")
    assert (fault.message, fault.help) == ("git is not installed", "install git, or compare with a directory")


def test_a_program_of_the_repository_is_not_run(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (repository / "git").write_text("#!/bin/sh\ntouch ran\n")
    (repository / "git").chmod(0o755)
    monkeypatch.setenv("PATH", ".")
    assert refused("HEAD").message == "git is not installed"
    assert not (repository / "ran").exists()


def test_a_git_command_that_hangs_is_stopped(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = repository / "bin"
    slow.mkdir()
    (slow / "git").write_text("#!/bin/sh\nexec sleep 60\n")
    (slow / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow}:/usr/bin:/bin")
    monkeypatch.setattr(git, "PATIENCE", 0.2)
    fault = refused("HEAD")
    assert (fault.code, fault.help) == ("INP007", "run git yourself to see the error")
    assert fault.message.startswith("git could not be run: Command ")
    assert fault.message.endswith(" timed out after 0.2 seconds")


def test_an_object_that_was_not_fetched_is_reported(repository: Path) -> None:
    blob = call("rev-parse", "HEAD:out/c/nodes/a.yaml").strip()
    (repository / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    texts, (fault,) = read_revision(at(), "out")
    assert (texts, fault.code) == ([], "INP007")
    assert fault.message == "an object of this revision is missing in this clone"
    assert fault.help == "clone the repository again, without --filter"


def test_a_file_that_is_not_text_is_reported_with_its_place(repository: Path) -> None:
    (repository / "out" / "bad.yaml").write_bytes(b"a: \xff\n")
    call("add", ".")
    call("commit", "-q", "-m", "two")
    (fault,) = read_revision(at(), "out")[1]
    assert (fault.code, str(fault.span)) == ("INP002", "HEAD:out/bad.yaml:1:1")
