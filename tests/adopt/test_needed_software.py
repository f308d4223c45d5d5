"""GPU software that also runs on nodes where none of gitgpu would take its place."""

from typing import Any

import yaml

from gitgpu.adopt.first_build.software_change import Effect
from tests.adopt.test_first_build import helm_release, imported, nodes
from tests.adopt.test_owned_software import EXPORTER_IMAGE, PLUGIN_IMAGE, daemon, left, other, stack
from tests.adopt.test_stack import OLD
from tests.helping.cases import for_each

KAITOS = (
    nodes().partition("---")[2].replace("name: a100", "name: ws, labels: {karpenter.kaito.sh/managed-by: kaito}", 1)
)
REFUSED = "\n---\n" + OLD.replace("mode: User", "mode: User\n  type: AvailabilitySet")
ONLY_FLEET = {"nodeSelector": {"karpenter.sh/nodepool": "a100"}}
GFD = {"command": ["/usr/bin/gpu-feature-discovery"]}
EVERYWHERE = {"tolerations": [{"operator": "Exists"}]}
XID, KERNEL = ({"rules": [{"type": "permanent", "pattern": text}]} for text in ("NVRM: Xid", "task blocked"))
DETECTOR_IMAGE = "registry.k8s.io/node-problem-detector/node-problem-detector:v1.36.0"


def with_pod(text: str, **spec: Any) -> str:
    """A DaemonSet with more settings of its pods."""
    body = yaml.safe_load(text.replace("---", ""))
    body["spec"]["template"]["spec"] |= spec
    return other(body)


def detector(files: dict[str, Any], **container: Any) -> str:
    """A node-problem-detector with these files."""
    volumes = [{"name": "config", "configMap": {"name": "npd"}}]
    data = {name: yaml.safe_dump(content) for name, content in files.items()}
    meta = {"name": "npd", "namespace": "gpu"}
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta, "data": data}
    return with_pod(daemon("npd", DETECTOR_IMAGE, **container), volumes=volumes) + other(config)


@for_each(
    ("others", "stays"),
    [("", False), (f"\n---\n{KAITOS}", True), (REFUSED, True), (REFUSED.replace("NC24ads_A100_v4", "D4s_v5"), False)],
)
def test_an_exporter_of_other_nodes_stays(others: str, *, stays: bool) -> None:
    """Its metrics would stop there."""
    for running in (daemon("running", EXPORTER_IMAGE), helm_release("dcgm-exporter", "4.8.2", EVERYWHERE)):
        made = imported(nodes() + others + running)
        assert stack(made).metrics.exporter is not stays
        assert any("where gitgpu's would not" in reason for reason in left(made).values()) is stays
        assert any(change.effect is Effect.REPLACED for change in made.software) is not stays


def test_an_exporter_of_the_fleet_alone_is_replaced() -> None:
    made = imported(nodes() + f"\n---\n{KAITOS}" + with_pod(daemon("running", EXPORTER_IMAGE), **ONLY_FLEET))
    assert stack(made).metrics.exporter is True


def test_an_exporter_of_a_pool_with_another_owner_stays() -> None:
    """gitgpu's runs only where its own device plugin does."""
    other_owner = nodes(taint="own").replace("a100", "b100").replace("name: gpu", "name: own")
    other_owner = other_owner.replace("name: b100", "annotations: {gitgpu.dev/driver: aks-only}, name: b100", 1)
    made = imported(nodes() + f"\n---\n{other_owner}" + daemon("running", EXPORTER_IMAGE))
    assert stack(made).metrics.exporter is False


def test_gpu_feature_discovery_of_other_nodes_stays() -> None:
    """Its labels would vanish from them."""
    for others, discovery in (("", "gfd"), (f"\n---\n{KAITOS}", "none")):
        assert stack(imported(nodes() + others + daemon("running", PLUGIN_IMAGE, **GFD))).discovery == discovery


def test_a_plugin_that_stays_beside_one_of_gitgpu() -> None:
    """It runs on one pool of the fleet and outside; the other pool of the fleet gets gitgpu's."""
    second = nodes(taint="own").replace("a100", "b100").replace("name: gpu", "name: own")
    running = with_pod(daemon("running", PLUGIN_IMAGE), tolerations=[{"key": "sku", "operator": "Exists"}])
    made = imported(nodes() + f"\n---\n{second}" + REFUSED + running)
    assert "where gitgpu's would not" in left(made)["DaemonSet/running"]
    [change] = [change for change in made.software if "nvidia-device-plugin" in change.title]
    assert (change.effect, change.pools) == (Effect.STARTS, ("b100",))
    assert change.reason.startswith("beside DaemonSet/running")


def test_an_mps_daemon_of_other_nodes_stays() -> None:
    running = daemon("mps", PLUGIN_IMAGE, command=["mps-control-daemon"])
    for others, driver in (("", "aks"), (REFUSED, "aks-only")):
        assert stack(imported(nodes() + others + running)).driver == driver


@for_each(
    ("files", "arguments", "mode", "health"),
    [
        ({"xid.json": XID}, [], "None", "npd"),
        ({"xid.json": XID}, [], "Driver", "none"),  # AKS has a detector there, and gitgpu installs none
        ({"xid.json": XID, "kernel.json": KERNEL}, [], "None", "none"),
        ({"all.json": {"rules": [*XID["rules"], *KERNEL["rules"]]}}, [], "None", "none"),
        ({"xid.json": XID, "kernel.json": KERNEL}, ["--config.system-log-monitor=/config/xid.json"], "None", "npd"),
        ({"xid.json": XID}, ["--config.system-log-monitor=/config/kernel-monitor.json,/c/xid.json"], "None", "none"),
    ],
)
def test_a_detector_of_other_problems_stays(
    files: dict[str, Any], arguments: list[str], mode: str, health: str
) -> None:
    operator = helm_release("gpu-operator", "v26.3.3", {}) if mode == "None" else ""
    made = imported(nodes(f'"{mode}"') + operator + detector(files, args=arguments))
    assert stack(made).health == health
    assert ("DaemonSet/npd" in left(made)) is (health == "none")


POLICY = """
---
apiVersion: mellanox.com/v1alpha1
kind: NicClusterPolicy
metadata: {name: nics}
spec:
  rdmaSharedDevicePlugin: {image: a, repository: b, config: '{"configList": [{"resourceName": "NAME"}]}'}
"""


@for_each(
    ("others", "name", "reason"),
    [
        ("", "shared_ib", ""),
        ("", "hca", "advertises rdma/hca, and gitgpu's would advertise rdma/shared_ib"),
        (f"\n---\n{KAITOS}", "shared_ib", "it runs on the nodes of ws"),
    ],
)
def test_a_policy_of_other_nodes_or_names_stays(others: str, name: str, reason: str) -> None:
    """Without it, InfiniBand stops there; with another name, pods that ask for the NICs wait forever."""
    text = nodes('"None"', "nvidia.com/gpu") + others + helm_release("gpu-operator", "v26.7.0", {})
    text = text.replace("Standard_NC24ads_A100_v4", "Standard_ND96isr_H100_v5") + POLICY.replace("NAME", name)
    made = imported(text)
    assert made.checked.inputs
    assert made.checked.inputs.pools[0].rdma == (None if reason else "shared")
    assert reason in left(made).get("NicClusterPolicy/nics", "")
