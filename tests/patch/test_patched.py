"""Patches of pools, workloads and clusters reach the generated objects."""

import pytest

from tests.patch.fleets import compiled, patches

POOL, CLASS, DAEMONS = (
    "nodes/nodepool-a100.yaml",
    "nodes/aksnodeclass-a100.yaml",
    "controllers/daemonset-dcgm-exporter-profiling.yaml",
)
PLAIN = compiled()


def test_a_merge_patch_of_a_pool() -> None:
    found = compiled(
        pool=patches(({"kind": "NodePool"}, {"metadata": {"annotations": {"a/b": "c"}}, "spec": {"weight": 7}}))
    )
    assert found.codes == PLAIN.codes
    assert found.body(POOL)["spec"]["weight"] == 7
    assert found.body(POOL)["metadata"]["annotations"]["a/b"] == "c"
    assert found.header(POOL)[2:] == ["# Patched by GpuPool a100 in fleet.yaml."]
    changed = [path for path in PLAIN.files if PLAIN.files[path] != found.files[path]]
    assert changed == [POOL]


def test_operations_apply_in_order_and_see_what_the_patch_before_did() -> None:
    first = ({"kind": "NodePool", "name": "a100"}, {"spec": {"weight": 7}})
    second = (
        {"kind": "NodePool"},
        [
            {"op": "test", "path": "/spec/weight", "value": 7},
            {"op": "copy", "from": "/spec/weight", "path": "/spec/other"},
            {"op": "remove", "path": "/spec/other"},
            {"op": "add", "path": "/metadata/annotations/contoso.com~1owner", "value": "ml"},
            {"op": "add", "path": "/spec/template/spec/requirements/-", "value": {"key": "k", "operator": "Exists"}},
        ],
    )
    found = compiled(pool=patches(first, second))
    assert found.codes == PLAIN.codes
    body = found.body(POOL)
    assert body["metadata"]["annotations"]["contoso.com/owner"] == "ml"
    assert body["spec"]["template"]["spec"]["requirements"][-1] == {"key": "k", "operator": "Exists"}


def test_lists_of_built_in_kinds_are_merged_by_name_and_those_of_custom_resources_replaced() -> None:
    limits = {
        "spec": {
            "template": {"spec": {"containers": [{"name": "dcgm-exporter", "resources": {"limits": {"cpu": "1"}}}]}}
        }
    }
    taints = {"spec": {"template": {"spec": {"startupTaints": [{"key": "k", "effect": "NoSchedule"}]}}}}
    found = compiled(
        cluster=patches(
            ({"kind": "DaemonSet", "name": "dcgm-exporter-profiling"}, limits), ({"kind": "NodePool"}, taints)
        )
    )
    before, after = PLAIN.body(DAEMONS), found.body(DAEMONS)
    [own], [container] = (body["spec"]["template"]["spec"]["containers"] for body in (before, after))
    assert container.pop("resources")["limits"]["cpu"] == "1"
    own.pop("resources", None)
    assert container == own
    assert (
        found.body(POOL)["spec"]["template"]["spec"]["startupTaints"]
        == taints["spec"]["template"]["spec"]["startupTaints"]
    )


def test_null_removes_a_key() -> None:
    found = compiled(pool=patches(({"kind": "NodePool"}, {"spec": {"limits": None}})))
    assert "limits" not in found.body(POOL)["spec"]


def test_patches_of_the_cluster_apply_last() -> None:
    found = compiled(
        pool=patches(({"kind": "NodePool"}, {"spec": {"weight": 1}})),
        cluster=patches(({"kind": "NodePool"}, {"spec": {"weight": 2}})),
    )
    assert found.body(POOL)["spec"]["weight"] == 2
    assert found.header(POOL)[2:] == ["# Patched by GpuPool a100 in fleet.yaml, Cluster prod in fleet.yaml."]


@pytest.mark.parametrize(
    "target",
    [
        {"kind": "AKSNodeClass"},
        {"kind": "AKSNodeClass", "name": "a100", "group": "karpenter.azure.com"},
        {"kind": "AKSNode.*", "name": "a1.0", "group": r"karpenter\.azure\.com"},
    ],
)
def test_the_patterns_of_a_target_match_whole_names(target: dict[str, str]) -> None:
    found = compiled(pool=patches((target, {"spec": {"tags": {"team": "ml"}}})))
    assert found.body(CLASS)["spec"]["tags"] == {"team": "ml"}
    assert found.files[POOL] == PLAIN.files[POOL]


def test_a_patch_that_changes_nothing_adds_a_line_to_the_header_only() -> None:
    found = compiled(pool=patches(({"kind": "NodePool"}, {"spec": {"limits": PLAIN.body(POOL)["spec"]["limits"]}})))
    line = "# Patched by GpuPool a100 in fleet.yaml.\n"
    assert found.files[POOL].replace(line, "") == PLAIN.files[POOL]
    assert line in found.files[POOL]


def test_the_patch_of_a_workload_can_be_patched_by_namespace() -> None:
    path = "workloads/serving.chat/deployment-chat.yaml"
    target = {"kind": "Deployment", "namespace": "serving"}
    found = compiled(workload=patches((target, {"spec": {"template": {"spec": {"priorityClassName": "high"}}}})))
    pod = found.body(path)["spec"]["template"]["spec"]
    assert pod["priorityClassName"] == "high"
    assert pod["containers"] == PLAIN.body(path)["spec"]["template"]["spec"]["containers"]
