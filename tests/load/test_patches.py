"""Patches and images of Kustomize, as Flux applies them."""

from typing import Any

import pytest
import yaml

from gitgpu.objects.delivery.patches import Patch, additions, apply_patches, changes
from tests.helping.cases import for_each

SPEC = ("spec", "template", "spec")
POD = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: server, namespace: llm, labels: {app: server, tier: gpu}}
spec:
  replicas: 1
  template:
    spec:
      containers:
      - {name: server, image: 'ghcr.io/contoso/server:1.0', args: [--a, --b]}
      - {name: proxy, image: envoy}
      tolerations: [{key: sku, operator: Exists}]
"""


def after(patch: str, target: dict[str, str] | None = None, body: str = POD, namespace: str = "") -> Any:
    """The object after a patch."""
    spec = {"patches": [{"patch": patch, **({"target": target} if target else {})}]}
    return apply_patches(yaml.load(body, yaml.CSafeLoader), changes(spec), namespace)


def containers(body: Any) -> Any:
    """The containers of a Deployment by name."""
    return {container["name"]: container for container in body["spec"]["template"]["spec"]["containers"]}


def test_a_strategic_merge_merges_containers_and_replaces_arguments_and_tolerations() -> None:
    workload = after(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: server}\nspec: {template: {spec: {\n"
        "containers: [{name: server, args: [--c]}, {name: more, image: x}], tolerations: [{key: other}]}}}\n"
    )
    assert containers(workload)["server"] == {"name": "server", "image": "ghcr.io/contoso/server:1.0", "args": ["--c"]}
    assert list(containers(workload)) == ["server", "proxy", "more"]
    assert workload["spec"]["template"]["spec"]["tolerations"] == [{"key": "other"}]
    assert workload["spec"]["replicas"] == 1


def test_null_and_directives_remove_values() -> None:
    workload = after(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: server}\nspec:\n  replicas: null\n"
        "  template: {spec: {containers: [{name: proxy, $patch: delete}]}}\n"
    )
    assert "replicas" not in workload["spec"]
    assert list(containers(workload)) == ["server"]
    assert after("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: server}\n$patch: delete\n") is None


def pod_after(patch: str) -> Any:
    """The spec of the pods after a patch of them."""
    return after(f"spec: {{template: {{spec: {patch}}}}}", {"kind": "Deployment"})["spec"]["template"]["spec"]


@pytest.mark.parametrize("directive", ["replace", "merge", "delete"])
def test_a_directive_for_a_list_that_does_not_exist_remains_and_the_entries_are_lost(directive: str) -> None:
    """As `kubectl kustomize` does."""
    pod = pod_after(f"{{volumes: [{{$patch: {directive}}}, {{name: a, emptyDir: {{}}}}]}}")
    assert pod["volumes"] == [{"$patch": directive}]
    pod = pod_after(f"{{containers: [{{name: proxy, env: [{{$patch: {directive}}}, {{name: A, value: b}}]}}]}}")
    assert pod["containers"][1] == {"name": "proxy", "image": "envoy", "env": [{"$patch": directive}]}


def test_a_directive_for_an_empty_list_is_followed() -> None:
    """As `kubectl kustomize` does."""
    body = POD.replace("name: proxy,", "name: proxy, env: [],")
    patch = "spec: {template: {spec: {containers: [{name: proxy, env: [{$patch: replace}, {name: A}]}]}}}"
    assert containers(after(patch, {"kind": "Deployment"}, body))["proxy"]["env"] == [{"name": "A"}]


@for_each("written", ["8080", "text", "{a: b}", "null"])
def test_a_list_replaces_a_value_of_another_type(written: str) -> None:
    body = POD.replace("name: proxy,", f"name: proxy, ports: {written},")
    patch = "spec: {template: {spec: {containers: [{name: proxy, ports: [{containerPort: 1}]}]}}}"
    assert containers(after(patch, {"kind": "Deployment"}, body))["proxy"]["ports"] == [{"containerPort": 1}]


@pytest.mark.parametrize("kind", ["initContainers", "containers"])
def test_directives_in_a_new_entry_are_followed(kind: str) -> None:
    pod = pod_after(f"{{{kind}: [{{name: a, env: [{{$patch: replace}}, {{name: A}}], ports: [{{$patch: delete}}]}}]}}")
    assert pod[kind][-1] == {"name": "a", "env": [{"name": "A"}]}


def test_directives_of_entries_in_a_new_list_are_followed() -> None:
    new = "{name: c, secret: {$patch: replace, optional: true}}"
    entries = f"{{name: a, $patch: delete}}, {{name: b, $patch: replace}}, {new}"
    assert pod_after(f"{{volumes: [{entries}]}}")["volumes"] == [
        {"name": "b"},
        {"name": "c", "secret": {"optional": True}},
    ]
    ports = pod_after(
        "{containers: [{name: proxy, ports: [{containerPort: 1, protocol: TCP}, {containerPort: 1, protocol: UDP}]}]}"
    )
    assert len(ports["containers"][1]["ports"]) == 2


def test_directives_in_a_list_that_replaces_another_are_followed() -> None:
    pod = pod_after("{containers: [{$patch: replace}, {name: a, env: [{$patch: replace}, {name: A}]}]}")
    assert pod["containers"] == [{"name": "a", "env": [{"name": "A"}]}]


def test_a_list_with_a_nameless_entry_is_replaced() -> None:
    nameless = POD.replace("name: proxy", "name: null")
    patch = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: server}\nspec: {template: {spec: {containers: "
    workload = after(patch + "[{name: null, image: x}, {name: side}]}}}\n", body=nameless)
    assert workload["spec"]["template"]["spec"]["containers"] == [{"image": "x"}, {"name": "side"}]


def test_lists_of_custom_resources_are_replaced() -> None:
    body = "apiVersion: kaito.sh/v1\nkind: X\nmetadata: {name: x}\nspec: {env: [{name: a}, {name: b}]}\n"
    workload = after("spec: {env: [{name: c}]}", {"kind": "X"}, body)
    assert workload["spec"]["env"] == [{"name": "c"}]


def test_a_patch_with_a_target_renames_nothing() -> None:
    workload = after(
        "apiVersion: v9\nkind: Other\nmetadata: {name: _, namespace: y, labels: {a: b}}", {"name": "ser.*"}
    )
    assert (workload["apiVersion"], workload["kind"]) == ("apps/v1", "Deployment")
    assert workload["metadata"] == {
        "name": "server",
        "namespace": "llm",
        "labels": {"app": "server", "tier": "gpu", "a": "b"},
    }


def test_keys_of_a_patch_are_texts() -> None:
    config_map = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: b}\n"
    assert after("data: {5: c, true: d}", {"kind": "ConfigMap"}, config_map)["data"] == {
        "a": "b",
        "5": "c",
        "true": "d",
    }


@pytest.mark.parametrize(("metadata", "result"), [("text", {"metadata": "text"}), ("null", {})])
def test_a_patch_can_replace_the_metadata(metadata: str, result: dict[str, str]) -> None:
    workload = after(f"metadata: {metadata}", {"kind": "Deployment"})
    assert {key: workload[key] for key in ("metadata",) if key in workload} == result


@for_each(
    ("target", "fits"),
    [
        ({"kind": "Deployment"}, True),
        ({"kind": "Deploy"}, False),  # a pattern has to match the whole value
        ({"kind": "(Deployment|StatefulSet)", "group": "apps", "version": "v1"}, True),
        ({"kind": "Deployment", "group": ""}, True),
        ({"version": "v1beta1"}, False),
        ({"namespace": "llm"}, True),
        ({"namespace": "moved"}, True),
        ({"namespace": "other"}, False),
        ({"labelSelector": "app=server,tier!=cpu"}, True),
        ({"labelSelector": "tier notin (gpu, cpu)"}, False),
        ({"labelSelector": "tier in (gpu, cpu), app"}, True),
        ({"labelSelector": "absent notin (gpu)"}, True),
        ({"labelSelector": "!app"}, False),
        ({"annotationSelector": "app=server"}, False),
        ({"name": "("}, False),
    ],
)
def test_which_objects_a_target_selects(target: dict[str, str], fits: bool) -> None:
    workload = after("spec: {replicas: 7}", target, namespace="moved")
    assert (workload["spec"]["replicas"] == 7) is fits


@for_each(
    ("operation", "place", "value"),
    [
        ("{op: replace, path: /spec/replicas, value: 3}", ("spec", "replicas"), 3),
        ("{op: add, path: /metadata/labels/a~1b, value: c}", ("metadata", "labels", "a/b"), "c"),
        ("{op: copy, from: /spec/replicas, path: /spec/minReadySeconds}", ("spec", "minReadySeconds"), 1),
        ("{op: remove, path: /spec/template/spec/containers/0}", (*SPEC, "containers", 0, "name"), "proxy"),
        ("{op: add, path: /spec/template/spec/tolerations/-, value: x}", (*SPEC, "tolerations", 1), "x"),
        ("{op: add, path: /spec/template/spec/tolerations/0, value: x}", (*SPEC, "tolerations", 0), "x"),
    ],
)  # fmt: skip
def test_what_an_operation_of_a_json_patch_does(operation: str, place: tuple[str | int, ...], value: object) -> None:
    result = after(f"[{operation}]", {"kind": "Deployment"})
    for step in place:
        result = result[step]
    assert result == value


@for_each(
    "operation",
    [
        "{op: replace, path: /spec/absent, value: 3}",
        "{op: remove, path: /spec/template/spec/containers/2}",
        "{op: add, path: /spec/absent/-, value: 1}",
        "{op: remove, path: /spec/template/spec/containers/first}",
        "{op: remove, path: /spec/template/spec/containers/-1}",
        "{op: remove, path: /spec/template/spec/containers/²}",
        "{op: replace, path: /spec/template/spec/containers/9, value: {}}",
        "{op: test, path: /spec/replicas, value: 2}",
        "{op: odd, path: /spec/replicas}",
        "{op: replace, path: spec, value: 3}",
        "text",
    ],
)
def test_operations_that_cannot_be_carried_out_change_nothing(operation: str) -> None:
    assert after(f"[{{op: replace, path: /spec/replicas, value: 9}}, {operation}]", {"kind": ".*"}) == yaml.load(
        POD, yaml.CSafeLoader
    )


def test_an_invalid_patch_is_ignored() -> None:
    spec = {"patches": [{"patch": "a: [", "target": {"kind": "X"}}, {"patch": "text"}, {"target": 1}, "x"], "images": 1}
    assert apply_patches(yaml.load(POD, yaml.CSafeLoader), changes(spec)) == yaml.load(POD, yaml.CSafeLoader)
    assert changes({"patches": "x"}) == changes(None) == ()


@for_each(
    ("image", "becomes"),
    [
        ({"name": "ghcr.io/contoso/server", "newTag": "2.0"}, "ghcr.io/contoso/server:2.0"),
        ({"name": "ghcr.io/contoso/server", "newName": "acr.io/s"}, "acr.io/s:1.0"),
        ({"name": "ghcr.io/contoso/server", "digest": "sha256:ab"}, "ghcr.io/contoso/server@sha256:ab"),
        ({"name": "ghcr.io/contoso/server", "newTag": 3}, "ghcr.io/contoso/server:3"),
        ({"name": "contoso/server", "newTag": "2.0"}, "ghcr.io/contoso/server:1.0"),
    ],
)
def test_what_the_images_of_a_kustomization_change(image: dict[str, str], becomes: str) -> None:
    pod = apply_patches(yaml.load(POD, yaml.CSafeLoader), changes({"images": [image]}))
    assert containers(pod)["server"]["image"] == becomes
    assert containers(pod)["proxy"]["image"] == "envoy"


def test_only_additions_to_objects_of_flux_are_usual() -> None:
    spec = {
        "patches": [
            {"patch": "spec: {interval: 1h}", "target": {"group": "helm.toolkit.fluxcd.io"}},
            {"patch": "spec: {replicas: 1}", "target": {"kind": "A"}},
            {"patch": "$patch: delete", "target": {"kind": "B"}},
            {"patch": "[{op: remove, path: /spec}]", "target": {"kind": "C"}},
            {"patch": "[{op: remove, path: /spec}]", "target": {"group": "helm.toolkit.fluxcd.io"}},
            {"patch": "$patch: delete", "target": {"group": "helm.toolkit.fluxcd.io"}},
        ],
        "images": [{"name": "a", "newTag": "b"}],
    }
    kept = Patch("spec: {interval: 1h}", (("group", "helm.toolkit.fluxcd.io"),))
    assert additions([*changes(spec), *changes(spec)]) == (kept,)


@for_each("pattern", ["(a+)+$", "(a|a)*b", "(a*)*c", "(?=a)", "[", "(?P<x>a)\\1"])
def test_a_pattern_of_a_target_cannot_hang(pattern: str) -> None:
    """RE2 is linear, Python's engine is not: an untrusted file must not be able to hang lint."""
    body = f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {'a' * 70}d}}\ndata: {{a: b}}\n"
    assert "data" in after("- {op: remove, path: /data}", {"name": pattern}, body)
