"""An object that is defined twice: it is rejected, or overwritten again and again."""

import pytest

from gitgpu.diagnostic import Severity
from tests.lint.test_graph import application, flux
from tests.lint.test_lint import codes, linted

SPACE = "apiVersion: v1\nkind: Namespace\nmetadata: {name: gpu, labels: {team: TEAM}}\n"
FLUX = "---\n".join([flux("apps", "./apps"), flux("infra", "./infra")])
ARGO = "---\n".join([application("apps", "path: apps"), application("infra", "path: infra")])


def duplicates(*teams: str, entry: str = FLUX, **files: str) -> list[tuple[Severity, str]]:
    """The findings about a Namespace that is defined in both apps and infra."""
    names = ("apps/space.yaml", "infra/space.yaml")
    spaces = {name: SPACE.replace("TEAM", team) for name, team in zip(names, teams, strict=True)}
    reported = linted({"clusters/dev/all.yaml": entry} | spaces | files).diagnostics
    return [(each.severity, each.message) for each in reported if each.code == "CNF008"]


@pytest.mark.parametrize("entry", [FLUX, ARGO])
def test_two_controllers_with_different_content_overwrite_each_other(entry: str) -> None:
    ((severity, message),) = duplicates("a", "b", entry=entry)
    assert severity is Severity.WARNING
    assert "each overwrites the other" in message
    assert "apps and " in message


@pytest.mark.parametrize("entry", [FLUX, ARGO])
def test_two_controllers_with_the_same_content_are_silent(entry: str) -> None:
    assert duplicates("a", "a", entry=entry) == []


def test_a_namespace_that_a_kustomization_sets_is_not_different_content() -> None:
    shared = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shared, namespace: gpu}\ndata: {team: TEAM}\n"
    files = {
        "clusters/dev/all.yaml": FLUX,
        "apps/kustomization.yaml": "namespace: gpu\nresources: [shared.yaml]\n",
        "apps/shared.yaml": shared.replace(", namespace: gpu", ""),
        "infra/shared.yaml": shared,
    }
    assert codes(files) == []
    assert codes(files | {"infra/shared.yaml": shared.replace("TEAM", "b")}) == ["CNF008"]


def test_one_controller_that_applies_both_is_reported() -> None:
    ((severity, _),) = duplicates("a", "b", entry=flux("all", "./"))
    assert severity is Severity.ERROR


def test_a_kustomization_with_both_is_reported_below_flux() -> None:
    files = {"apps/kustomization.yaml": "resources: [space.yaml, other.yaml]\n", "apps/other.yaml": SPACE}
    ((severity, _),) = duplicates("a", "a", entry=flux("apps", "./apps"), **files)
    assert severity is Severity.ERROR
