"""What Flux applies because of an object: from which source, to which cluster, and with which variables."""

from dataclasses import replace
from typing import Any

import pytest

from gitgpu.objects.delivery.applied import ELSEWHERE, Applied
from gitgpu.objects.delivery.flux import Flux, flux, is_flux, what_flux_applies
from gitgpu.objects.delivery.kustomize import kustomization
from gitgpu.objects.delivery.substitution import Fill
from gitgpu.objects.delivery.tree import tree_of
from gitgpu.objects.loaded import Loaded
from gitgpu.source import SourceMap, Span
from tests.helping.cases import for_each

PLACES = SourceMap.of(Span("a.yaml", 1, 1))
FILES = ("a/a.yaml", "a/notes.txt", "a/deep/d.yml", "a/c.json", "b/b.yaml", "spot/kustomization.yaml", "spot/pool.yaml")


def source(name: str, url: str) -> dict[str, Any]:
    """A GitRepository."""
    version = "source.toolkit.fluxcd.io/v1"
    return {"apiVersion": version, "kind": "GitRepository", "metadata": {"name": name}, "spec": {"url": url}}


def applying(path: str, name: str = "ours", **spec: Any) -> dict[str, Any]:
    """A Kustomization that applies a path of a source."""
    spec = {"path": path, "sourceRef": {"kind": "GitRepository", "name": name}, **spec}
    version = "kustomize.toolkit.fluxcd.io/v1"
    return {"apiVersion": version, "kind": "Kustomization", "metadata": {"name": "all"}, "spec": spec}


def instance(sync: dict[str, Any] | None, version: str = "fluxcd.controlplane.io/v1") -> dict[str, Any]:
    """A FluxInstance."""
    spec = {} if sync is None else {"sync": sync}
    return {"apiVersion": version, "kind": "FluxInstance", "metadata": {"name": "flux"}, "spec": spec}


def world(*bodies: dict[str, Any]) -> Flux:
    """The Flux objects of a repository with FILES."""
    spot = kustomization("spot/kustomization.yaml", {"kind": "Component", "resources": ["pool.yaml"]}, PLACES)
    files = {name: () for name in FILES if name != spot.file}
    loaded = tuple(Loaded(body, PLACES, "flux/all.yaml") for body in bodies)
    return flux(tree_of({**files, "flux/all.yaml": loaded}, {spot.file: spot}, {}))


def result(body: dict[str, Any], *others: dict[str, Any]) -> Applied:
    """What an object applies in a repository with other Flux objects."""
    return what_flux_applies(Loaded(body, PLACES, "flux/all.yaml"), body, world(*others, body))


OURS, SAME, OTHER = "https://github.com/us/fleet", "ssh://git@github.com/us/fleet.git", "https://github.com/them/apps"
HOME = (source("ours", OURS), applying("a"), applying("spot"))


@for_each(
    ("path", "others", "is_home"),
    [
        ("b", [*HOME], True),  # where no URL says otherwise, an existing path does
        ("./", [*HOME], False),
        ("b", [*HOME, source("mine", SAME)], True),
        ("./", [*HOME, source("mine", SAME)], True),
        ("b", [*HOME, source("mine", OTHER)], False),
        ("b", [*HOME, source("mine", OTHER), source("mine", OURS)], True),  # of two clusters
        ("b", [*HOME[1:], source("mine", OTHER)], False),  # the repository of `flux bootstrap` is this one
        ("absent", [*HOME, source("mine", SAME)], False),
        ("${path}", [*HOME, source("mine", SAME)], False),
    ],
)
def test_the_repository_itself_is_known_by_its_url_or_by_its_paths(
    path: str, others: list[dict[str, Any]], *, is_home: bool
) -> None:
    applied = result(applying(path, "mine"), *others)
    assert applied.beyond == (frozenset() if is_home else ELSEWHERE)
    assert bool(applied.parts) is is_home


@for_each(
    ("others", "home"),
    [
        ([applying("a", "theirs"), applying("a"), applying("b")], "ours"),  # most paths
        ([*[applying("absent", "theirs")] * 3, applying("a")], "ours"),  # most existing paths
        ([*[applying("./", "theirs")] * 3, applying("a")], "ours"),  # the root of every repository exists
        ([applying("./", "theirs"), *[applying("./")] * 2], "ours"),
        ([*[applying("a")] * 2, applying("absent", "flux-system")], "flux-system"),
        ([*[applying("a")] * 2, instance({"path": "b"})], "flux-system"),
        ([*[applying("a")] * 2, instance(None)], "ours"),
        ([*[applying("a")] * 2, instance({"path": "b"}, "example.com/v1")], "ours"),
    ],
)
def test_the_source_that_is_the_repository_itself(others: list[dict[str, Any]], home: str) -> None:
    assert {entry.name for entry in world(*others).home} == {home}


def test_flux_system_is_the_repository_that_a_flux_instance_applies() -> None:
    applied = result(applying("./", "flux-system"), instance({"path": "b"}))
    assert (applied.kustomizations[:1], applied.beyond) == (("",), frozenset())


@pytest.mark.parametrize("body", [instance({"path": "b"}), applying("b")])
def test_a_path_that_exists_shows_where_the_root_of_the_repository_is(body: dict[str, Any]) -> None:
    file = "repo/flux/all.yaml"
    files = {file: (Loaded(body, PLACES, file),), "repo/b/b.yaml": (), "other/c.yaml": ()}
    assert flux(tree_of(files, {}, {})).tree.find(file, "") == "repo"


def test_the_root_of_a_repository_in_a_subdirectory_is_applied_whole() -> None:
    file = "repo/flux/all.yaml"
    bodies = [applying("b"), applying("./")]
    files = {file: tuple(Loaded(body, PLACES, file) for body in bodies), "repo/b/b.yaml": (), "other/c.yaml": ()}
    applied = what_flux_applies(Loaded(bodies[1], PLACES, file), bodies[1], flux(tree_of(files, {}, {})))
    assert sorted(part.file for part in applied.parts) == ["repo/b/b.yaml", file]


def test_an_artifact_is_applied_from_the_first_source_that_has_the_path() -> None:
    copied = [{"from": f"@repo/{folder}/**", "to": "@artifact/"} for folder in ("absent", "b")]
    spec = {
        "sources": [{"alias": "repo", "kind": "GitRepository", "name": "ours"}],
        "artifacts": [{"name": "parts", "copy": copied}],
    }
    version = "source.extensions.fluxcd.io/v1beta1"
    generator = {"apiVersion": version, "kind": "ArtifactGenerator", "metadata": {"name": "parts"}, "spec": spec}
    body = applying("./", sourceRef={"kind": "ExternalArtifact", "name": "parts"})
    assert [part.file for part in result(body, *HOME, generator).parts] == ["b/b.yaml"]


@for_each(
    ("spec", "cluster"),
    [
        ({}, ""),
        ({"kubeConfig": {"secretRef": {"name": "edge"}}}, "edge"),
        ({"kubeConfig": {"configMapRef": {"name": "edge"}}}, "edge"),
    ],
)
@for_each("path", ["a", "absent"])
def test_the_cluster_of_a_kustomization_is_that_of_its_kubeconfig(
    path: str, spec: dict[str, Any], cluster: str
) -> None:
    assert result(applying(path, **spec)).cluster == cluster


def test_a_directory_without_a_kustomization_is_its_yaml_files() -> None:
    assert [part.file for part in result(applying("a")).parts] == ["a/a.yaml", "a/deep/d.yml"]


def test_components_are_added_to_a_directory() -> None:
    applied = result(applying("b", components=["../spot", "../absent"]))
    assert [part.file for part in applied.parts] == ["b/b.yaml", "spot/pool.yaml"]
    assert applied.kustomizations == ("b", "spot/kustomization.yaml")
    assert [part.file for part in result(applying("b")).parts] == ["b/b.yaml"]


VARIABLES = {"size": {"GPUS": "8", "SIZE": "t4"}, "more": {"GPUS": "4"}, "patched": None}


def references(*names: str) -> list[dict[str, str]]:
    """Entries of `substituteFrom`; a name with an asterisk is a Secret."""
    return [{"kind": "Secret" if "*" in name else "ConfigMap", "name": name.rstrip("*")} for name in names]


@for_each(
    ("build", "fill"),
    [
        ({}, None),
        ({"substitute": {}}, None),
        ({"substitute": {"B": "1", "A": 2}}, Fill((("A", "2"), ("B", "1")), open=False)),
        ({"substituteFrom": references("size")}, Fill((("GPUS", "8"), ("SIZE", "t4")), open=False)),
        ({"substituteFrom": references("size", "more")}, Fill((("GPUS", "4"), ("SIZE", "t4")), open=False)),
        ({"substituteFrom": references("size*")}, Fill((), open=True)),
        ({"substituteFrom": references("size", "absent")}, Fill((), open=True)),
        ({"substituteFrom": references("patched", "more")}, Fill((("GPUS", "4"),), open=True)),
        (
            {"substitute": {"GPUS": "2"}, "substituteFrom": references("size")},
            Fill((("GPUS", "2"), ("SIZE", "t4")), open=False),
        ),
        ({"substitute": "text", "substituteFrom": references("more")}, Fill((("GPUS", "4"),), open=False)),
    ],
)
def test_variables_are_overridden_in_order(build: dict[str, Any], fill: Fill | None) -> None:
    body = applying("a", postBuild=build)
    (part, *_) = what_flux_applies(
        Loaded(body, PLACES, "flux/all.yaml"), body, replace(world(body), configs=VARIABLES)
    ).parts
    assert part.by
    assert part.by.fill == fill


def test_patched_kustomizations_may_have_other_variables() -> None:
    body = applying("a")
    (part, *_) = what_flux_applies(
        Loaded(body, PLACES, "flux/all.yaml"), body, replace(world(body), patched=True)
    ).parts
    assert part.by
    assert part.by.fill == Fill((), open=True)


@for_each(
    ("spec", "namespace", "renamed"),
    [
        ({}, "", ""),
        ({"targetNamespace": "gpu"}, "gpu", ""),
        ({"targetNamespace": "${TEAM}-gpu", "postBuild": {"substitute": {"TEAM": "chat"}}}, "chat-gpu", ""),
        ({"targetNamespace": "${TEAM}-gpu", "postBuild": {"substitute": {"OTHER": "chat"}}}, "${TEAM}-gpu", ""),
        ({"targetNamespace": "${TEAM}-gpu"}, "${TEAM}-gpu", ""),
        ({"namePrefix": "a-"}, "", "Kustomization//all\n"),
    ],
)
def test_a_kustomization_sets_the_namespace_and_may_rename(spec: dict[str, Any], namespace: str, renamed: str) -> None:
    (part,) = result(applying("b", **spec)).parts
    assert (part.namespace, part.renamed) == (namespace, renamed)


@pytest.mark.parametrize(
    ("body", "applied"),
    [
        ({**instance(None), "kind": "ResourceSet"}, Applied(beyond=ELSEWHERE)),
        (instance(None), Applied()),
        (instance({"path": "absent"}), Applied(beyond=ELSEWHERE)),
    ],
)
def test_objects_of_the_flux_operator(body: dict[str, Any], applied: Applied) -> None:
    assert result(body, *HOME) == applied


def test_the_path_of_a_flux_instance_is_in_the_repository_whatever_its_source() -> None:
    applied = result(
        instance({"path": "b", "sourceRef": {"kind": "GitRepository", "name": "x"}}), *HOME, source("x", OTHER)
    )
    assert [part.file for part in applied.parts] == ["b/b.yaml"]


@pytest.mark.parametrize(
    ("version", "belongs"), [("source.toolkit.fluxcd.io/v1", True), ("fluxcd.io/v1", False), ("v1", False)]
)
def test_objects_of_flux_are_known_by_their_group(version: str, *, belongs: bool) -> None:
    loaded = Loaded({"apiVersion": version, "kind": "A"}, PLACES, "a.yaml")
    assert is_flux({"b.yaml": (), "a.yaml": (loaded,)}) is belongs
