"""A version is promoted through three rings in three commits; the pages about it, run as written."""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run, run
from tests.journeys.repository import ALONE, IDENTITY

__all__ = ["run"]

PAGES = Path(__file__).parents[2] / "docs/how-to"
UPGRADE, PROMOTE = "upgrade-the-gpu-operator.md", "promote-from-staging-to-production.md"
FLEET = re.findall(r"^```yaml\n(.*?)^```$", (PAGES / UPGRADE).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)[0]


def steps(page: str) -> list[str]:
    """The commands of a page, one a line."""
    text = (PAGES / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def git(*words: str) -> str:
    """What git prints in the current directory."""
    environment = {**IDENTITY, **ALONE, "PATH": os.environ["PATH"]}
    done = subprocess.run(["git", *words], check=True, capture_output=True, text=True, env=environment)
    return done.stdout


@pytest.fixture
def repository(run: Run) -> Run:
    """A repository with the fleet of the page, built and committed."""
    Path(".git").rmdir()
    git("init", "--quiet", "--initial-branch=main")
    Path("fleet.yaml").write_text(FLEET, encoding="utf-8")
    assert run("build").code == 0
    commit("The fleet")
    return run


def commit(message: str) -> None:
    """Commits everything."""
    git("add", "--all")
    git("commit", "--quiet", "--message", message)


def planned(run: Run) -> dict[str, Any]:
    """The plan of the spec as it is."""
    report: dict[str, Any] = json.loads(run("plan", "-o", "json").out)
    return report


def test_an_upgrade_goes_from_canary_to_prod_in_three_commits(repository: Run) -> None:
    """The plan names exactly the clusters of the ring each time; each commit changes lines of one ring."""
    stages = (
        (("upgrade", "gpu-operator", "--ring", "canary"), "canary", ["lab"]),
        (("promote", "canary", "staging"), "staging", ["staging"]),
        (("promote", "staging", "prod"), "prod", ["prod-swc", "prod-weu"]),
    )
    for command, ring, clusters in stages:
        assert repository(*command).code == 0
        report = planned(repository)
        assert [cluster["name"] for cluster in report["clusters"]] == clusters
        assert [each["name"] for each in report["rings"]] == [ring]
        assert {change["object"]["name"] for each in report["clusters"] for change in each["changes"]} == {
            "gpu-operator"
        }
        added = [line for line in git("diff", "--unified=0", "fleet.yaml").splitlines() if re.match(r"[-+] ", line)]
        assert added == ["+    stack:", "+      versions:", "+        gpu-operator: v26.7.0"]
        assert repository("build").code == 0
        folders = {line.split("/")[1] for line in git("diff", "--name-only", "overlays").splitlines()}
        assert folders == set(clusters)
        commit(ring)
    assert repository("promote", "staging", "prod").out == "nothing to promote: prod already has the same as staging\n"
    assert repository("outdated").out.count("gpu-operator") == 0


def test_the_commands_of_the_pages_work_as_written(repository: Run) -> None:
    """In the order of the two pages, in one repository."""
    for step in (*steps(UPGRADE), *steps(PROMOTE)):
        command, _, rest = step.partition(" || test $? = ")
        program, *words = [word.strip("'") for word in re.findall(r"'[^']*'|\S+", command)]
        if program == "git":
            git(*words)
        else:
            done = repository(*words)
            assert done.code == int(rest or 0), f"{step}\n{done.out}{done.err}"
    assert git("log", "--format=%s").splitlines() == [
        "Promote staging to prod",
        "Promote canary to staging",
        "GPU Operator on canary",
        "Pin what runs today",
        "The fleet",
    ]
