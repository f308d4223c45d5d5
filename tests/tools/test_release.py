"""What a tag needs to be a release, the owner of the repository, and the versions that others install."""

import re
import shutil
import tomllib
from pathlib import Path

import pytest
import yaml

from tools import owner, release

ROOT = Path(__file__).parents[2]
HASHED = re.compile(r"([\w.-]+)==([\w.]+)(?: ; [^\\]+)? \\\n(?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+")
NOTES = "## [Unreleased]\n\n## [0.1.0] - 2026-12-01\n\nThe first release.\n\n## [0.0.1]\n\nNever.\n"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The files that say what is released, by an owner."""
    (tmp_path / "gitgpu").mkdir()
    shutil.copy(ROOT / "gitgpu" / "__init__.py", tmp_path / "gitgpu")
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(owner.renamed(project, owner.owner(ROOT), "contoso"), encoding="utf-8")
    (tmp_path / "CHANGELOG.md").write_text(NOTES, encoding="utf-8")
    return tmp_path


def test_a_tag_of_the_version_with_dated_notes_and_an_owner_is_ready(checkout: Path) -> None:
    assert list(release.faults(checkout, "v0.1.0", "contoso")) == []
    assert release.sections(NOTES)["0.1.0"] == ("2026-12-01", "The first release.")


def test_another_tag_is_not_ready(checkout: Path) -> None:
    [fault] = release.faults(checkout, "v0.2.0", "contoso")
    assert fault == "the tag is v0.2.0, but the package is 0.1.0: tag v0.1.0, or change gitgpu/__init__.py"


@pytest.mark.parametrize("heading", ["## [0.1.0]", "## [Unreleased] - 2026-12-01", "## [0.1.0] - soon"])
def test_a_version_without_a_date_is_not_ready(checkout: Path, heading: str) -> None:
    (checkout / "CHANGELOG.md").write_text(f"{heading}\n\nText.\n", encoding="utf-8")
    [fault] = release.faults(checkout, "v0.1.0", "contoso")
    assert fault.startswith("CHANGELOG.md has no section")


def test_the_repository_is_the_one_that_runs_the_workflow(checkout: Path) -> None:
    [fault] = release.faults(checkout, "v0.1.0", "fabrikam")
    assert fault.endswith("run `python -m tools.owner fabrikam`")


def test_a_placeholder_is_not_released(checkout: Path) -> None:
    project = checkout / "pyproject.toml"
    project.write_text(owner.renamed(project.read_text(encoding="utf-8"), "contoso", "OWNER"), encoding="utf-8")
    [fault] = release.faults(checkout, "v0.1.0", "")
    assert "run `python -m tools.owner NAME`" in fault


def test_the_owner_is_replaced_where_the_repository_is_named() -> None:
    text = "uses: {0}/gitgpu@x, github>{0}/gitgpu//renovate, CODEOWNER/gitgpu, OWNER/gitgpu-fork, OWNER"
    assert owner.renamed(text.format("OWNER"), "OWNER", "contoso") == text.format("contoso")


def test_a_page_with_an_owner_no_longer_says_to_replace_it() -> None:
    page = "Replace `OWNER` with the owner of your copy of gitgpu, and `COMMIT` with a commit: {0}/gitgpu@x"
    named = owner.renamed(page.format("OWNER"), "OWNER", "contoso")
    assert named == "Replace `COMMIT` with a commit: contoso/gitgpu@x"
    for path in (ROOT / "README.md", *(ROOT / "docs" / "how-to").glob("*.md")):
        text = path.read_text(encoding="utf-8")
        assert "`OWNER`" not in owner.renamed(text, owner.owner(ROOT), "contoso"), path


@pytest.mark.parametrize("path", ["tools/owner.py", "tests/tools/test_release.py"])
def test_the_owner_can_be_set_twice(path: str) -> None:
    """The script changes neither itself nor its tests."""
    text = (ROOT / path).read_text(encoding="utf-8")
    assert owner.renamed(text, owner.owner(ROOT), "contoso") == text


@pytest.mark.parametrize("name", ["-x", "x-", "a b", "a/b", "", "a" * 40])
def test_a_name_that_github_does_not_allow_is_refused(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert owner.main(["--", name]) == 2
    assert "is not a name of a user or an organization" in capsys.readouterr().err


def test_no_file_names_a_second_owner() -> None:
    """What `python -m tools.owner` does not find would stay behind."""
    named = set()
    for path in [ROOT / "README.md", ROOT / "SECURITY.md", ROOT / "action.yml", *(ROOT / "docs").rglob("*.md")]:
        named |= set(re.findall(r"(?:uses: |github\.com/|github>)([\w-]+)/gitgpu\b", path.read_text(encoding="utf-8")))
    assert named == {owner.owner(ROOT)}


def test_no_page_follows_a_branch() -> None:
    """A branch can be moved by whoever can push to it; a commit or a release cannot."""
    for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        text = path.read_text(encoding="utf-8")
        assert re.findall(r"gitgpu@(?:main|master|HEAD)\b|^\s*rev: (?:main|master)\b", text, re.MULTILINE) == [], path


@pytest.mark.parametrize("file", ["requirements.txt", "site/requirements.txt"])
def test_the_locked_versions_have_hashes_and_are_those_that_the_package_wants(file: str) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    comment, said, rest = text.partition("#    make lock\n")  # what writes the file
    assert (comment.count("\n"), bool(said)) == (1, True)
    assert HASHED.sub("", rest) == ""
    locked = {name.lower() for name, _ in HASHED.findall(rest)}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {re.split(r"[<>=~!]", each)[0] for each in project["dependencies"]}
    assert wanted <= locked


def test_only_the_jobs_that_publish_may_write() -> None:
    """The tests and the build of a release can read; each of the others may do the one thing that it is for."""
    workflow = yaml.load((ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8"), yaml.CSafeLoader)
    signs = {"id-token": "write", "attestations": "write"}
    assert {name: job["permissions"] for name, job in workflow["jobs"].items()} == {
        "test": {"contents": "read"},
        "dist": {"contents": "read"},
        "site": {"contents": "read"},
        "pypi": {"contents": "read", "id-token": "write"},
        "image": {"contents": "read", "packages": "write", **signs},
        "github": {"contents": "write", **signs},
        "pages": {"contents": "read", "pages": "write", "id-token": "write"},
    }
    published = [name for name, job in workflow["jobs"].items() if "write" in job["permissions"].values()]
    needed = {name: workflow["jobs"][name]["needs"] for name in published}
    assert needed == {
        "pypi": ["test", "dist"],
        "image": ["test", "dist"],
        "github": ["pypi", "image", "site"],
        "pages": ["github"],
    }
