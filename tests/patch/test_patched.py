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
    result = compiled(
        pool=patches(({"kind": "NodePool"}, {"metadata": {"annotations": {"a/b": "c"}}, "spec": {"weight": 7}}))
    )
    assert result.codes == PLAIN.codes
    assert result.body(POOL)["spec"]["weight"] == 7
    assert result.body(POOL)["metadata"]["annotations"]["a/b"] == "c"
    assert result.header(POOL)[2:] == ["# Patched by GpuPool a100 in fleet.yaml."]
    changed = [path for path in PLAIN.files if PLAIN.files[path] != result.files[path]]
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
    result = compiled(pool=patches(first, second))
    assert result.codes == PLAIN.codes
    body = result.body(POOL)
    assert body["metadata"]["annotations"]["contoso.com/owner"] == "ml"
    assert body["spec"]["template"]["spec"]["requirements"][-1] == {"key": "k", "operator": "Exists"}


def test_lists_of_built_in_kinds_are_merged_by_name_and_those_of_custom_resources_replaced() -> None:
    limits = {
        "spec": {
            "template": {"spec": {"containers": [{"name": "dcgm-exporter", "resources": {"limits": {"cpu": "1"}}}]}}
        }
    }
    taints = {"spec": {"template": {"spec": {"startupTaints": [{"key": "k", "effect": "NoSchedule"}]}}}}
    result = compiled(
        cluster=patches(
            ({"kind": "DaemonSet", "name": "dcgm-exporter-profiling"}, limits), ({"kind": "NodePool"}, taints)
        )
    )
    before, after = PLAIN.body(DAEMONS), result.body(DAEMONS)
    [own], [container] = (body["spec"]["template"]["spec"]["containers"] for body in (before, after))
    assert container.pop("resources")["limits"]["cpu"] == "1"
    own.pop("resources", None)
    assert container == own
    assert (
        result.body(POOL)["spec"]["template"]["spec"]["startupTaints"]
        == taints["spec"]["template"]["spec"]["startupTaints"]
    )


def test_null_removes_a_key() -> None:
    result = compiled(pool=patches(({"kind": "NodePool"}, {"spec": {"limits": None}})))
    assert "limits" not in result.body(POOL)["spec"]


def test_patches_of_the_cluster_apply_last() -> None:
    result = compiled(
        pool=patches(({"kind": "NodePool"}, {"spec": {"weight": 1}})),
        cluster=patches(({"kind": "NodePool"}, {"spec": {"weight": 2}})),
    )
    assert result.body(POOL)["spec"]["weight"] == 2
    assert result.header(POOL)[2:] == ["# Patched by GpuPool a100 in fleet.yaml, Cluster prod in fleet.yaml."]


@pytest.mark.parametrize(
    "target",
    [
        {"kind": "AKSNodeClass"},
        {"kind": "AKSNodeClass", "name": "a100", "group": "karpenter.azure.com"},
        {"kind": "AKSNode.*", "name": "a1.0", "group": r"karpenter\.azure\.com"},
    ],
)
def test_the_patterns_of_a_target_match_whole_names(target: dict[str, str]) -> None:
    result = compiled(pool=patches((target, {"spec": {"tags": {"team": "ml"}}})))
    assert result.body(CLASS)["spec"]["tags"] == {"team": "ml"}
    assert result.files[POOL] == PLAIN.files[POOL]


def test_a_patch_that_changes_nothing_adds_a_line_to_the_header_only() -> None:
    result = compiled(pool=patches(({"kind": "NodePool"}, {"spec": {"limits": PLAIN.body(POOL)["spec"]["limits"]}})))
    line = "# Patched by GpuPool a100 in fleet.yaml.\n"
    assert result.files[POOL].replace(line, "") == PLAIN.files[POOL]
    assert line in result.files[POOL]


def test_the_patch_of_a_workload_can_be_patched_by_namespace() -> None:
    path = "workloads/serving.chat/deployment-chat.yaml"
    target = {"kind": "Deployment", "namespace": "serving"}
    result = compiled(workload=patches((target, {"spec": {"template": {"spec": {"priorityClassName": "high"}}}})))
    pod = result.body(path)["spec"]["template"]["spec"]
    assert pod["priorityClassName"] == "high"
    assert pod["containers"] == PLAIN.body(path)["spec"]["template"]["spec"]["containers"]
