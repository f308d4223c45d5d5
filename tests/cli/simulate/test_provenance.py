"""The origin shown on the HTML page: the fleet, its Git commit, the catalog and the version of gitgpu."""

import re
import subprocess
from pathlib import Path

import pytest
import yaml

from gitgpu import __version__
from gitgpu.load.catalog.evidence import evidence
from gitgpu.model.catalog import catalog
from tests.cli.conftest import Run
from tests.cli.fleets import CLUSTER, SOUND, write
from tests.simulate.worlds import A100, CLASS, deployment, pool


def git(*words: str) -> str:
    """Runs git here."""
    Path(".git").rmdir() if Path(".git").is_dir() and not any(Path(".git").iterdir()) else None
    identity = ("-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "commit.gpgsign=false")
    return subprocess.run(["git", *identity, *words], check=True, capture_output=True, text=True).stdout.strip()


def facts(run: Run, *arguments: str) -> list[str]:
    """The facts at the top of the page, without markup."""
    done = run("simulate", "-o", "html", *arguments)
    match = re.search(r'<ul class="facts">(.*?)</ul>', done.out)
    assert match, done.err
    return [re.sub("<[^>]+>", "", fact) for fact in re.findall("<li>(.*?)</li>", match[1])]


@pytest.fixture
def committed(run: Run) -> Run:
    """A fleet in a repository, committed."""
    write(SOUND, "fleet/fleet.yaml")
    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-q", "-m", "one")
    return run


def test_a_fleet_outside_of_git_has_no_commit(run: Run) -> None:
    write(SOUND, "fleet/fleet.yaml")
    age = str(evidence(catalog(()).files))
    assert re.match("evidence of 20[0-9]{2}-[0-9]{2}-[0-9]{2}", age)
    assert facts(run) == ["fleet f", f"catalog: {age}", f"gitgpu {__version__}"]


def test_the_commit_of_a_clean_fleet_is_named(committed: Run) -> None:
    assert facts(committed)[1] == f"commit {git('rev-parse', 'HEAD')[:12]}"
    first = committed("simulate", "-o", "html").out
    write("anything", "notes.txt")
    write("<html></html>", "fleet/simulation.html")
    write(SOUND, "fleet/.hidden.yaml")
    assert committed("simulate", "-o", "html").out == first


def test_hidden_files_in_the_commit_are_not_part_of_the_fleet(committed: Run) -> None:
    for name in (".hidden.yaml", ".drafts/fleet.yaml", "pools/.draft.yaml"):
        write(SOUND, f"fleet/{name}")
    git("add", ".")
    git("commit", "-q", "-m", "two")
    assert facts(committed)[1] == f"commit {git('rev-parse', 'HEAD')[:12]}"


@pytest.mark.parametrize("change", ["edit", "new file", "removed file", "staged"])
def test_a_fleet_that_differs_from_its_commit_is_marked(committed: Run, change: str) -> None:
    write(CLUSTER.replace("c1", "c2"), "fleet/c2.yaml")
    git("add", ".")
    git("commit", "-q", "-m", "two")
    if change in ("edit", "staged"):
        write(SOUND + "# a comment\n", "fleet/fleet.yaml")
        git("add", ".") if change == "staged" else None
    elif change == "new file":
        write(CLUSTER.replace("c1", "c3"), "fleet/c3.yaml")
    else:
        Path("fleet/c2.yaml").unlink()
    assert facts(committed)[1] == f"commit {git('rev-parse', 'HEAD')[:12]} with uncommitted changes"


def test_line_ends_of_the_checkout_are_not_a_change(committed: Run) -> None:
    Path("fleet/fleet.yaml").write_bytes(SOUND.replace("\n", "\r\n").encode())
    assert facts(committed)[1] == f"commit {git('rev-parse', 'HEAD')[:12]}"


def test_a_fleet_that_was_never_committed_has_no_commit(committed: Run) -> None:
    write(SOUND, "other/fleet.yaml")
    assert not [fact for fact in facts(committed, "other") if fact.startswith("commit")]


def test_manifests_have_a_commit_and_no_fleet(run: Run) -> None:
    write(yaml.safe_dump_all([CLASS, pool("a", A100), deployment("w")]), "pools.yaml")
    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-q", "-m", "one")
    shown = facts(run, "--pools", "pools.yaml", "--workloads", "pools.yaml", "--region", "eastus")
    assert shown[0] == f"commit {git('rev-parse', 'HEAD')[:12]}"
    assert len(shown) == 3
