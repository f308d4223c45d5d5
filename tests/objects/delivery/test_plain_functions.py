"""What Kustomize merges, replaces and renames, tested function by function."""

from typing import Any

import pytest

from gitgpu.objects.delivery.application_sets import applications, fixed_directory, repositories
from gitgpu.objects.delivery.artifacts import artifacts, wanted_paths
from gitgpu.objects.delivery.flux import flux
from gitgpu.objects.delivery.images import Image, replace_images
from gitgpu.objects.delivery.kustomize import ANY, inclusions, kustomization, renames, unread_kinds
from gitgpu.objects.delivery.merge import KEYS, merge_value
from gitgpu.objects.delivery.partial_files import incomplete, is_patch
from gitgpu.objects.delivery.patch_files import with_patch_files
from gitgpu.objects.delivery.patches import is_custom
from gitgpu.objects.delivery.rewriting import rewriting
from gitgpu.objects.delivery.tree import tree_of
from gitgpu.objects.loaded import Loaded, ManifestFile
from gitgpu.source import SourceMap, Span
from tests.helping.cases import for_each

PLACES = SourceMap.of(Span("kustomization.yaml", 1, 1))
# From `x-kubernetes-patch-merge-key` in the OpenAPI document of Kubernetes.
LISTS = {
    "containers": "name",
    "env": "name",
    "ephemeralContainers": "name",
    "hostAliases": "ip",
    "imagePullSecrets": "name",
    "initContainers": "name",
    "ownerReferences": "uid",
    "ports": "containerPort",
    "resourceClaims": "name",
    "topologySpreadConstraints": "topologyKey",
    "volumeDevices": "devicePath",
    "volumeMounts": "mountPath",
    "volumes": "name",
    "webhooks": "name",
}


@for_each(("name", "key"), LISTS.items())
def test_lists_are_merged_by_their_key(name: str, key: str) -> None:
    body = {name: [{key: "a", "x": 1}, {key: "b"}]}
    patch = {name: [{key: "a", "y": 2}]}
    assert merge_value(body, patch, listed=True) == {name: [{key: "a", "x": 1, "y": 2}, {key: "b"}]}
    assert KEYS.keys() == LISTS.keys()


@pytest.mark.parametrize(
    ("before", "patch"), [([{"name": "a"}], ["b"]), (["a"], [{"name": "b"}]), ("a", [{"name": "b"}])]
)
def test_a_list_with_an_entry_of_another_shape_is_replaced(before: Any, patch: Any) -> None:
    assert merge_value({"env": before}, {"env": patch}, listed=True) == {"env": patch}


@for_each(
    ("version", "custom"),
    [
        ("v1", False),
        ("apps/v1", False),
        ("rbac.authorization.k8s.io/v1", False),
        ("karpenter.sh/v1", True),
        ("metrics.k8s.io.example.com/v1", True),
    ],
)
def test_lists_of_custom_resources_are_replaced(version: str, *, custom: bool) -> None:
    assert is_custom({"apiVersion": version, "kind": "Any"}) is custom


@for_each(
    ("image", "change", "result"),
    [
        ("nginx:1", Image("nginx", "mirror/nginx", "", ""), "mirror/nginx:1"),
        ("nginx@sha256:ab", Image("nginx", "mirror/nginx", "", ""), "mirror/nginx@sha256:ab"),
        ("nginx:1@sha256:ab", Image("nginx", "mirror/nginx", "", ""), "mirror/nginx:1@sha256:ab"),
        ("nginx:1@sha256:ab", Image("nginx", "", "2", ""), "nginx:2"),
        ("nginx:1", Image("nginx", "", "", "sha256:cd"), "nginx@sha256:cd"),
        ("nginx:1", Image("nginx", "", "2", "sha256:cd"), "nginx:2@sha256:cd"),
        ("other:1", Image("nginx", "", "2", ""), "other:1"),
    ],
)
@for_each("containers", ["containers", "initContainers", "ephemeralContainers"])
def test_images_of_containers_are_replaced(containers: str, image: str, change: Image, result: str) -> None:
    pod = {"spec": {containers: [{"name": "a", "image": image}, {"name": "b"}]}}
    assert replace_images(pod, change) == {"spec": {containers: [{"name": "a", "image": result}, {"name": "b"}]}}


def test_the_repositories_that_generators_read() -> None:
    git = {"repoURL": "fleet", "directories": [{"path": "apps/*"}], "files": [{"path": "clusters/*.json"}]}
    nested = {"matrix": {"generators": [{"git": {"repoURL": "other", "files": [{"path": "a.json"}]}}, {"list": {}}]}}
    body = {"kind": "ApplicationSet", "spec": {"generators": [{"git": git}, nested]}}
    assert sorted(repositories(body)) == [("fleet", "apps/*"), ("fleet", "clusters/*.json"), ("other", "a.json")]


@for_each(
    ("path", "folder"),
    [
        ("./apps/gpu", "apps/gpu"),
        ("apps/*/prod", "apps"),
        ("apps/gpu-?", "apps"),
        ("apps/team/[ab]*", "apps/team"),
        ("apps/{{path.basename}}/prod", "apps"),
        ("{{path}}", ""),
    ],
)
def test_the_directory_that_contains_every_match_of_a_path(path: str, folder: str) -> None:
    assert fixed_directory(path) == folder


@for_each(
    ("generator", "whole"),
    [
        ({"list": {"elements": [{"a": "b"}]}}, True),
        ({"list": {"elements": [{"a": "b"}], "elementsYaml": "{{ .more }}"}}, False),
        ({"list": {"elements": [{"a": "b"}]}, "selector": {"matchLabels": {"a": "b"}}}, False),
        ({"clusters": {}}, True),
    ],
)
def test_applications_that_lint_cannot_see(generator: dict[str, Any], *, whole: bool) -> None:
    body = {"apiVersion": "argoproj.io/v1alpha1", "spec": {"template": {"metadata": {}}, "generators": [generator]}}
    (application,) = applications("sets.yaml", body, tree_of({}, {}, {}))
    assert (application.whole, application.body["kind"]) == (whole, "Application")


@pytest.mark.parametrize(("folder", "name"), [("_GPU Pools.", "gpu-pools"), ("a" * 300, "a" * 253)])
def test_normalised_names_of_folders_are_valid_names_of_objects(folder: str, name: str) -> None:
    git = {"git": {"directories": [{"path": "apps/*"}]}}
    template = {"metadata": {"name": "{{path.basenameNormalized}}"}}
    body = {"apiVersion": "argoproj.io/v1alpha1", "spec": {"template": template, "generators": [git]}}
    files = {"sets.yaml": (), f"apps/{folder}/a.yaml": ()}
    whole = tree_of(files, {}, {})
    whole.votes[""] = 1  # the root of the repository
    (application,) = applications("sets.yaml", body, whole)
    assert application.body["metadata"]["name"] == name


def test_a_cycle_of_kustomizations_ends() -> None:
    names = {"a/kustomization.yaml": "../b", "b/kustomization.yaml": "../a"}
    known = {file: kustomization(file, {"resources": [other]}, PLACES) for file, other in names.items()}
    assert inclusions(known["a/kustomization.yaml"], known).kustomizations == [*names]


@for_each(
    "resource",
    [
        "https://example.com/a.yaml", "github.com/contoso/fleet", "git@example.com:contoso/fleet",
        "example.com/fleet?ref=v1", "{{ path }}/a.yaml", "${path}/a.yaml",
    ],
)  # fmt: skip
def test_resources_from_elsewhere_are_not_files(resource: str) -> None:
    known = kustomization("kustomization.yaml", {"resources": ["a.yaml", resource]}, PLACES)
    assert [use.path for use in known.uses] == ["a.yaml"]
    assert unread_kinds(known) == {ANY}


def test_each_file_is_listed_once_for_each_namespace() -> None:
    data = {
        "kustomization.yaml": {"resources": ["a", "b", "base", "base/c.yaml", "base/c.yaml"]},
        "a/kustomization.yaml": {"resources": ["../base"], "namespace": "a"},
        "b/kustomization.yaml": {"resources": ["../base"], "namespace": "b"},
        "base/kustomization.yaml": {"resources": ["c.yaml"]},
    }
    known = {file: kustomization(file, content, PLACES) for file, content in data.items()}
    parts = inclusions(known["kustomization.yaml"], known).parts
    assert sorted((part.file, part.namespace) for part in parts) == [("base/c.yaml", name) for name in ("", "a", "b")]


def test_the_patches_of_a_component_apply_to_all_files_and_those_of_a_base_to_its_own() -> None:
    def patch(value: str) -> list[dict[str, Any]]:
        return [{"patch": f"- {{op: add, path: /spec/{value}, value: 1}}", "target": {"kind": "NodePool"}}]

    data = {
        "kustomization.yaml": {"resources": ["base", "own.yaml"], "components": ["part"]},
        "base/kustomization.yaml": {"resources": ["based.yaml"], "patches": patch("base")},
        "part/kustomization.yaml": {"kind": "Component", "patches": patch("part")},
    }
    known = {file: kustomization(file, content, PLACES) for file, content in data.items()}
    parts = inclusions(known["kustomization.yaml"], known).parts
    [base], [part] = known["base/kustomization.yaml"].changes, known["part/kustomization.yaml"].changes
    assert {each.file: each.changes for each in parts} == {"own.yaml": (part,), "base/based.yaml": (base, part)}


COMPLETING = [
    "commonLabels", "components", "labels", "patches", "patchesJson6902", "patchesStrategicMerge", "replacements",
    "transformers",
]  # fmt: skip


@for_each("key", COMPLETING)
def test_keys_of_a_kustomization_that_complete_objects(key: str) -> None:
    changed = kustomization("k/kustomization.yaml", {"resources": ["a.yaml"], key: ["x"]}, PLACES)
    assert "k/a.yaml" in incomplete({changed.file: changed}, {}).completed
    kept = kustomization("k/kustomization.yaml", {"resources": ["a.yaml"], "namespace": "a", key: []}, PLACES)
    assert incomplete({kept.file: kept}, {}).completed == frozenset()


@for_each(
    ("spec", "is_so"),
    [
        ({"containers": [{"name": "a"}, {"name": "b", "$patch": "delete"}]}, True),
        ({"$setElementOrder/containers": [{"name": "a"}]}, True),
        ({"a": {"$retainKeys": ["b"]}}, True),
        ({"$deleteFromPrimitiveList/args": ["a"]}, True),
        ({"$schema": "a", "b": "$patch"}, False),
        ({"containers": []}, False),
    ],
)
def test_a_directive_anywhere_makes_an_object_a_patch(spec: dict[str, Any], *, is_so: bool) -> None:
    assert is_patch("a.yaml", {"kind": "Deployment", "spec": spec}) is is_so


def test_the_directories_of_a_tree() -> None:
    own = kustomization("a/own/kustomization.yaml", {"resources": ["deep"]}, PLACES)
    whole = tree_of({"a/a.yaml": (), "a/b/b.yaml": (), "a/own/deep/c.yaml": ()}, {own.file: own}, {})
    assert sorted(whole.every("a")) == ["a", "a/b", "a/own", "a/own/deep"]
    assert sorted(whole.under("a")) == ["a", "a/b", "a/own"]  # a kustomization decides what is below it
    assert whole.at("a") == ["a/a.yaml"]


REWRITING: dict[str, Any] = {
    "namePrefix": "a-",
    "nameSuffix": "-a",
    "labels": [{"pairs": {"a": "b"}}],
    "commonLabels": {"a": "b"},
    "commonAnnotations": {"a": "b"},
    "replacements": [{"path": "a.yaml"}],
    "replicas": [{"name": "a", "count": 1}],
    "vars": [{"name": "A"}],
    "transformers": ["a.yaml"],
    "configMapGenerator": [{"name": "a"}],
    "secretGenerator": [{"name": "a"}],
    "generators": ["a.yaml"],
    "helmCharts": [{"name": "a"}],
}


@for_each("key", REWRITING)
def test_changes_that_lint_does_not_emulate(key: str) -> None:
    written = kustomization("kustomization.yaml", {"resources": ["a.yaml"], key: REWRITING[key]}, PLACES)
    changed = with_patch_files({written.file: written}, {})[written.file]
    assert [rewritten for _, rewritten in rewriting({changed.file: changed})] == [key]
    kept = kustomization("kustomization.yaml", {"resources": ["a.yaml"], "namespace": "a", key: []}, PLACES)
    assert list(rewriting({kept.file: kept})) == []


def test_a_component_that_no_kustomization_names_changes_nothing() -> None:
    component = kustomization("c/kustomization.yaml", {"kind": "Component", "namePrefix": "a-"}, PLACES)
    root = kustomization("kustomization.yaml", {"components": ["c"]}, PLACES)
    assert list(rewriting({component.file: component})) == []
    assert list(rewriting({component.file: component, root.file: root})) == [(component, "namePrefix")]


@for_each(
    ("path", "wanted"),
    [
        ("./pools/a", [("apps", "repo"), ("nodes/a", "other")]),
        ("pools", [("nodes/", "other")]),
        ("./", []),
        ("poolsides", []),
    ],
)
def test_a_path_in_an_artifact_is_one_of_its_sources(path: str, wanted: list[tuple[str, str]]) -> None:
    sources = [{"alias": name, "kind": "GitRepository", "name": name} for name in ("repo", "other")]
    copied = [
        {"from": "@repo/apps/**", "to": "@artifact/pools/a"},
        {"from": "@other/nodes/**", "to": "@artifact/pools/"},
    ]
    generator = {"spec": {"sources": sources, "artifacts": [{"name": "all", "copy": copied}]}}
    spec = {"path": path, "sourceRef": {"kind": "ExternalArtifact", "name": "all"}}
    paths = [(place.rstrip("/"), source.name) for place, source in wanted_paths(spec, dict(artifacts([generator])))]
    assert paths == [(place.rstrip("/"), name) for place, name in wanted]


@for_each(
    ("data", "kinds"),
    [
        ({"configMapGenerator": [{"name": "a"}]}, {("", "ConfigMap")}),
        ({"secretGenerator": [{"name": "a"}]}, {("", "Secret")}),
        ({"helmCharts": [{"name": "a"}]}, {ANY}),
        ({"resources": ["https://example.com/a"]}, {ANY}),
        ({"resources": ["a.yaml"], "secretGenerator": []}, set()),
    ],
)
def test_objects_without_a_file(data: dict[str, Any], kinds: set[tuple[str, str]]) -> None:
    assert unread_kinds(kustomization("kustomization.yaml", data, PLACES)) == kinds


@pytest.mark.parametrize(
    ("patch", "patched"),
    [
        ({"target": {"kind": "Kustomization"}, "path": "a.yaml"}, True),
        ({"patch": "kind: Kustomization\nspec: {prune: true}\n"}, True),
        ({"target": {"kind": "Deployment"}, "patch": "spec: {replicas: 1}\n"}, False),
    ],
)
def test_patches_of_flux_kustomizations_are_detected(patch: dict[str, Any], *, patched: bool) -> None:
    data = {"resources": ["a.yaml"], "patches": [patch]}
    known = {"kustomization.yaml": kustomization("kustomization.yaml", data, PLACES)}
    assert flux(tree_of({}, known, {})).patched is patched


@for_each(
    ("data", "may_rename"),
    [
        ({"namePrefix": "a-"}, True),
        ({"nameSuffix": "-a"}, True),
        ({"transformers": ["a.yaml"]}, True),
        ({"namePrefix": "", "labels": [{}]}, False),
        ({"patches": [{"path": "a.yaml"}]}, True),
        ({"patches": [{"patch": "spec:\n  a: 1\n"}]}, False),
        ({"patches": [{"patch": "$patch: delete\nkind: A\n"}]}, True),
        ({"patches": [{"patch": "- op: replace\n  path: /metadata/name\n"}]}, True),
        ({"patchesStrategicMerge": ["spec:\n  a: 1\n"]}, False),
        ({"patchesStrategicMerge": ["a.yaml"]}, True),
        ({"patchesJson6902": [{"path": "a.yaml"}]}, True),
        ([], False),
    ],
)
def test_what_may_rename_or_delete_objects(data: Any, *, may_rename: bool) -> None:
    assert renames(data) is may_rename


@pytest.mark.parametrize("version", ["chainsaw.kyverno.io/v1alpha1", "example.com/chainsaw.kyverno.io/"])
def test_files_beside_a_chainsaw_test_may_contain_parts(version: str) -> None:
    test, part, other = "t/chainsaw-test.yaml", "t/sub/part.yaml", "u/whole.yaml"
    body = {"apiVersion": version, "kind": "Test", "metadata": {"name": "a"}}
    read = {test: ManifestFile((Loaded(body, PLACES, test),), (), ())}
    files = {**read, part: ManifestFile((), (), ()), other: ManifestFile((), (), ())}
    assert incomplete({}, files).unlisted == ({part} if version.startswith("chainsaw") else set())
