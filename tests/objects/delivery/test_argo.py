"""What Argo CD applies because of an Application: from which repository, to which cluster, and which files."""

from typing import Any

import pytest

from gitgpu.objects.delivery.applied import ELSEWHERE, Applied
from gitgpu.objects.delivery.argo import argo, referenced_file, what_argo_applies
from gitgpu.objects.delivery.kustomize import kustomization
from gitgpu.objects.delivery.tree import tree_of
from gitgpu.objects.loaded import Loaded
from gitgpu.source import SourceMap, Span
from tests.helping.cases import for_each

FLEET, OTHER = "https://github.com/contoso/fleet", "https://github.com/contoso/other"
PLACES = SourceMap.of(Span("a.yaml", 1, 1))
FILES = (
    "apps/own/kustomization.yaml",
    "apps/own/web.yaml",
    "apps/own/unlisted.yaml",
    "chart/Chart.yaml",
    "chart/values.yaml",
    "plain/a.yaml",
    "plain/b.yml",
    "plain/c.json",
    "plain/notes.txt",
    "plain/deep/d.yaml",
    "plain/{e}.yaml",
    "{{path}}/template.yaml",
)
PLAIN = ["plain/a.yaml", "plain/b.yml", "plain/c.json", "plain/{e}.yaml"]


def application(*sources: dict[str, Any], name: str = "a", kind: str = "Application", **spec: Any) -> dict[str, Any]:
    """An Application."""
    version = "argoproj.io/v1alpha1"
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name}, "spec": {"sources": [*sources], **spec}}


def all_applied(*bodies: dict[str, Any], file: str = "root/apps.yaml") -> list[Applied]:
    """What the Applications apply in a repository with FILES."""
    loaded = [Loaded(body, PLACES, file) for body in bodies]
    own = kustomization("apps/own/kustomization.yaml", {"resources": ["web.yaml"], "namespace": "own"}, PLACES)
    files = {**{name: () for name in FILES if name != own.file}, file: tuple(loaded)}
    world = argo(tree_of(files, {own.file: own}, {}))
    results: list[Applied] = []
    for entry in loaded:
        results += what_argo_applies(entry, entry.body, world)
    return results


def fleet(path: str, **more: Any) -> dict[str, Any]:
    """A source in the repository itself."""
    return {"repoURL": FLEET, "path": path, **more}


def hydrated(**dry: Any) -> dict[str, Any]:
    """An Application whose source is rendered to another branch, which it applies."""
    return application(sourceHydrator={"drySource": dry, "syncSource": {"targetBranch": "rendered", "path": "chart"}})


def other(path: str, **more: Any) -> dict[str, Any]:
    """A source in another repository."""
    return {"repoURL": OTHER, "path": path, **more}


def templated(path: str) -> dict[str, Any]:
    """A source whose repository is a parameter of an ApplicationSet."""
    return {"repoURL": "{{url}}", "path": path}


def with_values(name: str) -> list[dict[str, Any]]:
    """A chart with a values file, and the source of that file."""
    return [{"repoURL": FLEET, "ref": "v"}, {"chart": "c", "helm": {"valueFiles": [name]}}]


@for_each(
    ("bodies", "home"),
    [
        ([application(fleet("plain"))], FLEET),
        ([application(fleet("absent"))], ""),
        ([application(fleet(""))], ""),  # the root of every repository exists
        ([application(other("plain"), fleet("plain"), fleet("chart"))], FLEET),
        ([application(other("plain"), fleet(""), fleet(""))], OTHER),
        ([application(other("plain"), fleet("absent"), fleet("absent"))], OTHER),
        ([application(other("plain"), fleet("plain"))], FLEET),  # the first in order
        ([application(templated("plain"), fleet("chart"), templated("chart"))], FLEET),
        ([application(templated("plain"))], "{{url}}"),
        ([{**application(other("plain")), "apiVersion": "example.com/v1"}, application(fleet("chart"))], FLEET),
        ([hydrated(**fleet("plain"))], FLEET),
        ([application(*with_values("$v/plain/a.yaml"))], FLEET),
        ([application(*with_values("v/plain/a.yaml"))], ""),
        ([application(*with_values("$w/plain/a.yaml"))], ""),
    ],
)  # fmt: skip
def test_the_repository_itself_is_the_one_with_most_existing_paths(bodies: list[dict[str, Any]], home: str) -> None:
    loaded = tuple(Loaded(body, PLACES, "root/apps.yaml") for body in bodies)
    files = {**dict.fromkeys(FILES, ()), "root/apps.yaml": loaded}
    assert argo(tree_of(files, {}, {})).home == home.removeprefix("https://")


@for_each(
    ("destination", "cluster"),
    [
        ({"server": "https://kubernetes.default.svc"}, ""),
        ({"name": "in-cluster"}, ""),
        ({}, ""),
        ({"name": "edge"}, "edge"),
        ({"server": "https://edge", "name": "edge"}, "https://edge"),
    ],
)
def test_the_cluster_of_an_application_is_that_of_its_destination(destination: dict[str, str], cluster: str) -> None:
    (part,) = all_applied(application(fleet("plain"), destination=destination))
    assert (part.cluster, part.beyond) == (cluster, frozenset())


def test_applications_share_no_cluster_that_is_not_known() -> None:
    bodies = [application(fleet("plain"), name=name, destination={"name": "{{name}}"}) for name in ("a", "b")]
    results = all_applied(*bodies)
    assert len({result.cluster for result in results}) == 2
    # Each cluster has the files, and also objects of other Applications.
    assert [(result.beyond, bool(result.parts)) for result in results] == [(ELSEWHERE, False), (frozenset(), True)] * 2


@pytest.mark.parametrize(
    ("source", "names"),
    [
        (fleet("plain"), PLAIN),
        (fleet("plain", directory={"recurse": True}), [*PLAIN[:3], "plain/deep/d.yaml", *PLAIN[3:]]),
        (fleet("plain", directory={"recurse": True, "include": "deep/*"}), ["plain/deep/d.yaml"]),
        (fleet("plain", directory={"recurse": "true"}), PLAIN),
        (fleet("plain", directory={"include": "{a,c}.*"}), ["plain/a.yaml", "plain/c.json"]),
        (fleet("plain", directory={"exclude": "{a,c}.*"}), ["plain/b.yml", "plain/{e}.yaml"]),
        (fleet("plain", directory={"exclude": "{a,b}.{yaml,json}"}), ["plain/b.yml", "plain/c.json", "plain/{e}.yaml"]),
        (fleet("plain", directory={"include": "{a,b}.*", "exclude": "*.yml"}), ["plain/a.yaml"]),
        (fleet("plain", directory={"include": "{a"}), []),
        (fleet("plain", directory={"include": "a}*"}), []),
        (fleet("plain", directory={"include": "{a,b}{.,-}{y,z}{a,b}{m,n}l"}), ["plain/a.yaml"]),
        (fleet("plain", directory={"include": "{a,b}" * 400}), []),
        (fleet("plain", directory={"include": "{{a,b}.yaml}"}), ["plain/a.yaml"]),
        (fleet("apps/own"), ["apps/own/web.yaml"]),
        (fleet("apps/own", ref="v"), ["apps/own/web.yaml"]),
        (fleet("apps/own", directory={}), ["apps/own/unlisted.yaml", "apps/own/web.yaml"]),
        (templated("plain"), PLAIN),
    ],
)  # fmt: skip
def test_the_files_that_a_source_applies(source: dict[str, Any], names: list[str]) -> None:
    *_, result = all_applied(application(fleet("chart"), source))
    assert sorted(part.file for part in result.parts) == names
    assert result.beyond == frozenset()


def test_an_application_applies_what_is_rendered_from_its_dry_source() -> None:
    (plain,) = all_applied(hydrated(**fleet("plain")))
    assert sorted(part.file for part in plain.parts) == PLAIN
    assert plain.beyond == frozenset()
    (own,) = all_applied(hydrated(**fleet("apps/own")))
    assert [(part.file, part.namespace) for part in own.parts] == [("apps/own/web.yaml", "own")]
    ignoring = hydrated(**fleet("plain"))
    ignoring["spec"]["sources"] = [fleet("chart")]
    assert all_applied(ignoring) == [plain]


@for_each(
    "source",
    [
        other("plain"),
        fleet("absent"),
        fleet("{{path}}"),
        fleet("plain", plugin={}),
        fleet("chart"),
        templated("."),
    ],
)
def test_a_source_that_lint_cannot_see_may_apply_anything(source: dict[str, Any]) -> None:
    *_, result = all_applied(application(fleet("plain"), fleet("apps/own"), source))
    assert result == Applied(beyond=ELSEWHERE)


def test_a_root_is_not_applied_if_the_repository_itself_is_not_known() -> None:
    assert all_applied(application(fleet("."))) == [Applied(beyond=ELSEWHERE)]


@pytest.mark.parametrize("source", [{"repoURL": FLEET, "ref": "v"}, {"repoURL": OTHER, "chart": "keda"}])
def test_a_chart_and_a_source_of_values_apply_no_files_of_the_repository(source: dict[str, Any]) -> None:
    results = all_applied(application(fleet("plain"), source))[1:]
    assert all(result == Applied() for result in results)


@for_each(
    ("source", "spec", "namespaces"),
    [
        (fleet("apps/own"), {}, ("own", "")),
        (fleet("apps/own", kustomize={"namespace": "over"}), {}, ("over", "")),
        (fleet("apps/own"), {"destination": {"namespace": "gpu"}}, ("own", "gpu")),
        (fleet("apps/own"), {"destination": {"namespace": "{{name}}"}}, ("own", "")),
    ],
)
def test_the_namespace_of_a_destination_is_for_objects_without_one(
    source: dict[str, Any], spec: dict[str, Any], namespaces: tuple[str, str]
) -> None:
    (result,) = all_applied(application(source, **spec))
    assert [(part.namespace, part.fallback) for part in result.parts] == [namespaces]


@pytest.mark.parametrize(("kustomize", "renamed"), [({"namePrefix": "a-"}, "Application//a\n"), ({}, "")])
def test_an_application_may_rename_objects(kustomize: dict[str, str], renamed: str) -> None:
    (result,) = all_applied(application(fleet("apps/own", kustomize=kustomize)))
    assert [part.renamed for part in result.parts] == [renamed]
    assert [part.by and part.by.name for part in result.parts] == ["Application//a"]


@for_each(
    ("name", "file"),
    [
        ("$v/plain/a.yaml", "plain/a.yaml"),
        ("v/plain/a.yaml", ""),
        ("plain/a.yaml", ""),
        ("$other/plain/a.yaml", ""),
        ("$w/plain/a.yaml", ""),
        ("$v/absent/a.yaml", ""),
        ("$v/{{path}}/template.yaml", ""),  # a parameter, even if a directory has this name
    ],
)
def test_a_values_file_of_the_repository(name: str, file: str) -> None:
    apps = "root/apps.yaml"
    files = {
        **dict.fromkeys((*FILES, "{{cluster}}/a.yaml"), ()),
        apps: (Loaded(application(fleet("plain")), PLACES, apps),),
    }
    assert referenced_file(apps, name, {"v": fleet(""), "other": other("")}, argo(tree_of(files, {}, {}))) == file
