"""Objects that some releases accept and others refuse: what `lint --versions` reports, against the verdicts of CRDs."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.objects.test_releases import FOLDERS, OBJECTS, VERDICTS, verdicts

# Refused for another reason too: the script behind the verdicts reads no CEL rules, and does
# not check that the identifier of a service principal is text.
OTHERWISE = {"gpucluster", "triggerauthentication-service-principal"}


def by_release() -> dict[tuple[str, str], dict[str, bool]]:
    """Whether the CRDs of a release accept each object of its project."""
    found: dict[tuple[str, str], dict[str, bool]] = {}
    for name, folder, verdict in verdicts():
        accepted = found.setdefault(FOLDERS[folder], {})
        accepted[name] = accepted.get(name, True) and verdict == "ok"
    return found


@pytest.mark.skipif(not VERDICTS.is_file(), reason="the objects with verdicts are not next to the project")
def test_there_is_a_verdict_for_each_object() -> None:
    names = {name for accepted in by_release().values() for name in accepted}
    assert names == {path.stem for path in OBJECTS.glob("*.yaml")}
    assert len(names) == 17


@pytest.mark.skipif(not VERDICTS.is_file(), reason="the objects with verdicts are not next to the project")
@pytest.mark.parametrize(("project", "number"), by_release())
def test_lint_gives_the_verdict_of_a_release(run: Run, project: str, number: str) -> None:
    wanted = by_release()[project, number]
    names = [name for name in wanted if name not in OTHERWISE]
    for name in names:
        Path(f"{name}.yaml").write_text((OBJECTS / f"{name}.yaml").read_text("utf-8"), "utf-8")
    options = ("--versions", f"{project}={number}", "--select", "CNF001,CNF018,CNF023", "-o", "json")
    ran = run("lint", *(f"{name}.yaml" for name in names), *options) if names else None
    results = json.loads(ran.out)["results"] if ran else []
    assert {finding["severity"] for finding in results} <= {"error"}
    refused = {finding["file"].removesuffix(".yaml") for finding in results}
    assert refused == {name for name in names if not wanted[name]}
