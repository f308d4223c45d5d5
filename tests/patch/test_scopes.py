"""What the patches of a document can select: shared node classes, agent pools, Applications, models."""

from typing import Any

import pytest

from tests.patch.fleets import ID, Result, compiled, compiled_text, patches, text, under

SECOND = """---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: b100}
spec:
  clusters: [prod]
  sku: Standard_NC24ads_A100_v4
  limits: {gpus: 4}
  nodeClass: {name: shared}
"""
SHARED = "  nodeClass: {name: shared}"
CLASS = "nodes/aksnodeclass-shared.yaml"


def test_each_pool_that_shares_a_node_class_can_patch_it() -> None:
    own = patches(({"kind": "AKSNodeClass"}, {"metadata": {"annotations": {"a/b": "c"}}}))
    result = compiled_text(text(pool=SHARED) + SECOND + own + "\n")
    assert result.codes == []
    assert result.body(CLASS)["metadata"]["annotations"]["a/b"] == "c"
    assert result.header(CLASS)[-1] == "# Patched by GpuPool b100 in fleet.yaml."


def test_the_node_class_of_another_pool_is_not_selected() -> None:
    own = patches(({"kind": "AKSNodeClass", "name": "a100"}, {"spec": {}}))
    result = compiled_text(text() + SECOND + own + "\n")
    [finding] = result.findings
    assert finding.message == "AKSNodeClass/a100 on cluster prod is not generated from GpuPool b100"


def test_the_pool_object_of_a_pool_that_shares_its_node_class_is_not_selected() -> None:
    own = patches(({"kind": "NodePool"}, {"spec": {"weight": 3}}))
    second = SECOND.replace("{name: shared}", "{name: a100}")
    result = compiled_text(text(pool="  nodeClass: {name: a100}") + second + own + "\n")
    assert result.codes == []
    assert result.body("nodes/nodepool-b100.yaml")["spec"]["weight"] == 3
    assert "weight" not in result.body("nodes/nodepool-a100.yaml")["spec"]


def test_a_patch_of_the_defaults_applies_once_to_a_shared_node_class() -> None:
    once = [
        {"op": "move", "from": "/metadata/labels/app.kubernetes.io~1part-of", "path": "/metadata/labels/moved"},
    ]
    shared = under("pool", {"patches": [{"target": {"kind": "AKSNodeClass"}, "patch": once}]}, 2)
    content = text(pool=SHARED).replace("  defaults:\n", f"  defaults:\n{shared}\n") + SECOND
    result = compiled_text(content)
    assert result.codes == []
    assert result.header(CLASS)[2:] == ["# Patched by Fleet contoso in fleet.yaml."]


def test_the_agent_pool_of_a_cluster_with_the_cluster_autoscaler() -> None:
    cluster = f"  provisioner: cluster-autoscaler\n  resourceId: {ID}/managedClusters/prod"
    own = patches(({"kind": "ManagedClustersAgentPool"}, {"metadata": {"annotations": {"a/b": "c"}}}))
    content = text(cluster=cluster, pool=own).replace("limits: {gpus: 4}", "nodes: {min: 1, max: 4}")
    result = compiled_text(content)
    assert result.codes == []
    [path] = (path for path in result.files if path.startswith("nodes/managedclustersagentpool"))
    assert result.body(path)["metadata"]["annotations"]["a/b"] == "c"


def test_objects_in_sync_can_be_patched() -> None:
    result = compiled(cluster=patches(({"kind": "Application"}, {"spec": {"project": "gpus"}})), engine="argocd")
    assert result.codes == []
    applications = [path for path in result.files if path.startswith("sync/application")]
    assert [result.body(path)["spec"]["project"] for path in applications] == ["gpus", "gpus"]


MODEL = """---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: phi, namespace: serving}
spec:
  pools: [a100]
  inference: {preset: phi-4-mini-instruct}
"""


def test_the_objects_of_a_model() -> None:
    own = patches(({"kind": "Workspace|InferenceSet"}, {"metadata": {"annotations": {"a/b": "c"}}}))
    content = text().replace("keda: helm", "keda: helm\n      kaito: helm") + MODEL + own + "\n"
    result = compiled_text(content)
    assert result.codes == []
    line = "# Patched by GpuWorkload serving/phi in fleet.yaml."
    patched = [path for path, written in result.files.items() if line in written]
    assert [path.startswith("models/") for path in patched] == [True]


@pytest.mark.parametrize(
    ("operation", "remedy"),
    [
        ({"op": "remove", "path": "/status"}, "use a path that exists; the keys at the top are: apiVersion, kind"),
        ({"op": "add", "path": "/kind/x", "value": 1}, "/kind is not a mapping or a list: correct the path"),
    ],
)
def test_what_there_is_at_a_path(operation: dict[str, Any], remedy: str) -> None:
    [finding] = compiled(pool=patches(({"kind": "NodePool"}, [operation]))).findings
    assert finding.help.startswith(remedy)


def lines_of(result: Result) -> list[str]:
    """The lines in the spec at which findings are."""
    [spec] = result.made.checked.texts
    return [spec.content.splitlines()[finding.span.line - 1].strip() for finding in result.findings]


def test_an_entry_of_a_merged_list_has_the_place_of_the_patch() -> None:
    entries = [{"name": "config-manager", "tty": True}, {"name": "nvidia-device-plugin", "imagePullPolicy": "Never?"}]
    change = {"spec": {"template": {"spec": {"containers": entries}}}}
    result = compiled(cluster=patches(({"kind": "DaemonSet", "name": "nvidia-device-plugin"}, change)))
    assert lines_of(result) == ["imagePullPolicy: Never?"]
