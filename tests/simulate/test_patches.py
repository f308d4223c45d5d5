"""Patches of workloads: the same result as in Kustomize, and the location of each value."""

from typing import Any

import pytest

from gitgpu.objects.delivery.merge import merge_named
from gitgpu.objects.objects import Given, Item, identity
from gitgpu.objects.schema.contract import Scope
from gitgpu.simulate.pod.patches import apply_overlays, rejections
from gitgpu.source import SourceMap, Span
from tests.helping.cases import for_each

OWNER: dict[str, Any] = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "chat", "namespace": "serving"},
    "spec": {"replicas": 2},
}
PATCH: dict[str, Any] = {**OWNER, "metadata": {"name": "chat"}, "spec": {"replicas": 5}}


def item(body: dict[str, Any], file: str = "owner.yaml") -> Item:
    """An object as it is read from a file."""
    return Item(Given(body, SourceMap.of(Span(file, 1, 1))), identity(body), Scope.NAMESPACED)


def patched(*owners: dict[str, Any], namespace: str = "serving") -> tuple[list[tuple[str, str, Any]], int]:
    """The namespace, name and replicas of each workload after the patch, and how many patches match no workload."""
    given = Given(PATCH, SourceMap.of(Span("patch.yaml", 1, 1)), patch=True)
    items, bare = apply_overlays([(given, namespace)], [item(owner) for owner in owners])
    return [(each.identity.namespace, each.identity.name, each.body["spec"]["replicas"]) for each in items], len(bare)


def named(name: str, namespace: str = "serving", kind: str = "Deployment") -> dict[str, Any]:
    """The owner with a different name, in another namespace or of another kind."""
    return {**OWNER, "kind": kind, "metadata": {"name": name, **({"namespace": namespace} if namespace else {})}}


def test_a_patch_changes_only_the_workload_with_its_name() -> None:
    workloads, bare = patched(named("other"), named("chat"), named("chat", kind="StatefulSet"))
    assert workloads == [("serving", "other", 2), ("serving", "chat", 5), ("serving", "chat", 2)]
    assert bare == 0


def test_a_workload_without_a_namespace_gets_that_of_the_patch() -> None:
    assert patched(named("chat", namespace="")) == ([("serving", "chat", 5)], 0)


def test_a_patch_for_no_workload_is_its_own_workload() -> None:
    workloads, bare = patched(named("chat", namespace="elsewhere"))
    assert workloads == [("elsewhere", "chat", 2), ("serving", "chat", 5)]
    assert bare == 1
    given = Given(PATCH, SourceMap.of(Span("patch.yaml", 1, 1)), patch=True)
    [alone], _ = apply_overlays([(given, "serving")], [])
    assert not alone.is_patch
    assert alone.body["metadata"] == {"name": "chat", "namespace": "serving"}


@pytest.mark.parametrize(
    ("pointer", "file"),
    [
        (("spec", "template", "spec", "affinity", "nodeAffinity"), "patch.yaml"),
        (("spec", "template", "spec", "tolerations", 0), "patch.yaml"),
        (("spec", "replicas"), "owner.yaml"),
    ],
)
def test_a_value_of_the_patch_is_in_the_file_of_the_patch(pointer: tuple[str | int, ...], file: str) -> None:
    given = Given(PATCH, SourceMap.of(Span("patch.yaml", 1, 1)), patch=True)
    [changed], _ = apply_overlays([(given, "serving")], [item(OWNER)])
    assert changed.given.places.span(pointer).file == file


@for_each(
    ("owner", "patch", "result"),
    [
        ({"a": 1, "b": 2}, {"b": 3, "c": 4}, {"a": 1, "b": 3, "c": 4}),
        ({"a": {"b": 1}}, {"a": {"c": 2}}, {"a": {"b": 1, "c": 2}}),
        ({"a": {"b": 1}}, {"a": 2}, {"a": 2}),
        ({"a": 1}, {"a": {"b": 2}}, {"a": {"b": 2}}),
        ({"tolerations": [1]}, {"tolerations": [2, 3]}, {"tolerations": [2, 3]}),
        (
            {"containers": [{"name": "a", "image": "x"}, None, {"name": "b", "image": "y"}]},
            {"containers": [{"name": "b", "tty": True}, {"name": "c"}]},
            {"containers": [{"name": "a", "image": "x"}, {"name": "b", "image": "y", "tty": True}, {"name": "c"}]},
        ),
        ({}, {"containers": [{"name": "a"}]}, {"containers": [{"name": "a"}]}),
        (
            {"initContainers": [{"name": "a", "image": "x"}]},
            {"initContainers": [{"name": "b"}]},
            {"initContainers": [{"name": "b"}]},
        ),
    ],
)
def test_what_is_merged_and_what_is_replaced(owner: Any, patch: Any, result: Any) -> None:
    assert merge_named(owner, patch) == result


def with_container(name: str, **more: Any) -> dict[str, Any]:
    """The owner with one container."""
    return {**OWNER, "spec": {"template": {"spec": {"containers": [{"name": name, **more}]}}}}


@for_each(
    ("owner", "patch", "rejected"),
    [
        (with_container("main", image="a"), with_container("main", resources={}), False),
        (with_container("main", image="a"), with_container("chat", resources={}), True),
        (with_container("main", image="a"), with_container("sidecar", image="b"), False),
        (with_container("main"), with_container("main", resources={}), False),
        (OWNER, with_container("chat", resources={}), False),
    ],
)
def test_a_patch_for_a_container_that_the_object_lacks_is_rejected(
    owner: dict[str, Any], patch: dict[str, Any], *, rejected: bool
) -> None:
    items = [item(owner)]
    given = Given({**patch, "metadata": PATCH["metadata"]}, SourceMap.of(Span("patch.yaml", 1, 1)), patch=True)
    after, _ = apply_overlays([(given, "serving")], items)
    found = list(rejections(items, after))
    assert [(changed.identity.name, fault.span.file) for changed, fault in found] == (
        [("chat", "owner.yaml")] if rejected else []
    )
    assert all("container chat, and the object has main" in fault.message for _, fault in found)


@for_each(("request", "limit", "rejected"), [("2", 1, True), (2, "2", False), (None, 1, False)])
def test_a_patch_that_contradicts_a_request_is_rejected(request: Any, limit: Any, *, rejected: bool) -> None:
    """The limit that a patch sets must be the request that the object has."""
    own = {"requests": {"nvidia.com/gpu": request, "cpu": "4"}} if request else {"requests": {"cpu": "4"}}
    items = [item(with_container("main", image="a", resources={**own, "limits": {"cpu": "8"}}))]
    patch = with_container("main", resources={"limits": {"nvidia.com/gpu": limit}})
    given = Given({**patch, "metadata": PATCH["metadata"]}, SourceMap.of(Span("patch.yaml", 1, 1)), patch=True)
    after, _ = apply_overlays([(given, "serving")], items)
    messages = [fault.message for _, fault in rejections(items, after)]
    wrong = ["the patch sets a limit of 1 nvidia.com/gpu, and the container requests 2"]
    assert messages == (wrong if rejected else [])
