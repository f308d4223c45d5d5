"""GPU Feature Discovery labels the nodes of gitgpu's device plugin with the resources that it advertises."""

from gitgpu.emit.manifest import Layer
from tests.emit.fleets import (
    A100,
    BY_NAME,
    CLUSTER_ID,
    H100,
    MI300X,
    Body,
    cluster,
    document,
    emitted,
    fleet,
    placed,
    pool,
)

GFD, NFD, PLUGIN = "gpu-feature-discovery", "node-feature-discovery", "nvidia-device-plugin"
ASKED: Body = {"discovery": "gfd"}
OPERATED: Body = {"driver": "operator", "image": {"family": "Ubuntu2204"}}


def pod(body: Body) -> Body:
    """The pod spec of a DaemonSet."""
    spec: Body = body["spec"]["template"]["spec"]
    return spec


def test_feature_discovery_is_off_by_default() -> None:
    output = emitted(fleet(), cluster(), pool("t4"))
    assert [body["metadata"]["name"] for body in output.every("DaemonSet") if GFD in str(body)] == []
    assert output.values(NFD) is None


def test_feature_discovery_runs_where_the_plugin_runs() -> None:
    """It reads the sharing from the same file, which is selected by the same node label."""
    shared = pool("t4-share", partition={"timeSlicing": {"replicas": 4}})
    others = [
        pool("h100", H100, **OPERATED),
        pool("t4-managed", driver="managed"),
        pool("mi300x", MI300X, driver="none"),
    ]
    output = emitted(fleet(), cluster(stack=ASKED), pool("t4"), shared, *others)
    plugin, discovery = (pod(output.one("DaemonSet", name)) for name in (PLUGIN, GFD))
    assert discovery["affinity"] == plugin["affinity"]
    assert output.selected(plugin["affinity"]) == ["t4", "t4-share"]
    assert discovery["tolerations"] == plugin["tolerations"]
    for key in ("configMap", "emptyDir"):
        assert [volume for volume in discovery["volumes"] if key in volume] == [
            volume for volume in plugin["volumes"] if key in volume
        ]
    [manager] = [container for container in discovery["containers"] if container["name"] == "config-manager"]
    variables = {variable["name"]: variable.get("value") for variable in manager["env"]}
    [main] = [container for container in discovery["containers"] if container["name"] == GFD]
    assert variables["PROCESS_TO_SIGNAL"] == main["command"][0]
    assert variables["NODE_LABEL"] == "nvidia.com/device-plugin.config"


def test_feature_discovery_has_the_permissions_that_it_needs() -> None:
    """It writes a NodeFeature in its namespace, owned by its pod, which it reads, with a ServiceAccount that exists."""
    output = emitted(fleet(), cluster(stack=ASKED), pool("t4"))
    spec, role, binding = pod(output.one("DaemonSet", GFD)), output.one("Role", GFD), output.one("RoleBinding", GFD)
    assert {rule["resources"][0]: "create" in rule["verbs"] for rule in role["rules"]} == {
        "nodefeatures": True,
        "pods": False,
    }
    [subject] = binding["subjects"]
    assert subject["name"] == spec["serviceAccountName"]
    assert output.one("ServiceAccount", subject["name"])["metadata"]["namespace"] == subject["namespace"]
    [main] = [container for container in spec["containers"] if container["name"] == GFD]
    fields = {
        variable["name"]: variable["valueFrom"]["fieldRef"]["fieldPath"]
        for variable in main["env"]
        if "valueFrom" in variable
    }
    assert fields == {"NODE_NAME": "spec.nodeName", "NAMESPACE": "metadata.namespace", "POD_NAME": "metadata.name"}


def test_its_own_node_feature_discovery_has_no_worker() -> None:
    output = emitted(fleet(), cluster(stack=ASKED), pool("t4"))
    assert output.values(NFD) == {"worker": {"enable": False}}
    target = output.one("HelmRelease", NFD)["spec"]["targetNamespace"]
    assert output.one("Namespace", target)
    assert output.one("HelmRelease", NFD)["spec"]["install"]["crds"] == "Create"


def test_node_feature_discovery_of_an_operator_is_the_only_one() -> None:
    """Where nodes are selected by pools. By labels, it is a release of its own: test_operators_by_label.py."""
    output = emitted(fleet(), cluster(stack={**ASKED, **BY_NAME}), pool("t4"), pool("h100", H100, **OPERATED))
    assert output.values(NFD) is None
    assert placed((output.discovery() or {})["affinity"]) == ["h100"]
    assert output.selected(pod(output.one("DaemonSet", GFD))["affinity"]) == ["t4"]


def test_instances_of_mig_are_seen() -> None:
    cut = pool("a100", A100, partition={"mig": {"profiles": {"1g.10gb": 7}}}, nodes={"max": 2})
    where = cluster(provisioner="cluster-autoscaler", stack=ASKED, resourceId=CLUSTER_ID)
    cut["spec"].pop("limits")
    [main] = [
        container
        for container in pod(emitted(fleet(), where, cut).one("DaemonSet", f"{GFD}-mig"))["containers"]
        if container["name"] == GFD
    ]
    assert {"name": "NVIDIA_MIG_MONITOR_DEVICES", "value": "all"} in main["env"]


def test_kaito_reads_what_is_found_instead_of_what_is_foretold() -> None:
    """A label from two sources could differ. Without discovery, the NodePool sets it."""
    model = document(
        "GpuWorkload", "chat", {"pools": ["a100"], "inference": {"preset": "phi-4-mini-instruct"}}, namespace="serving"
    )
    large = pool("a100", A100, image={"osDiskGB": 256})
    for stack, is_expected in (({}, True), (ASKED, False)):
        output = emitted(fleet(), cluster(stack={"kaito": "helm", "keda": "helm", **stack}), large, model)
        labels = output.one("NodePool", "a100")["spec"]["template"]["metadata"]["labels"]
        assert ("nvidia.com/gpu.product" in labels) is is_expected
        names = [body["metadata"]["name"] for body in output.every("DaemonSet", Layer.CONTROLLERS)]
        assert (GFD in names) is not is_expected
