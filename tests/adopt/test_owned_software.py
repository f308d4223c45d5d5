"""GPU software that stays with its owner, because gitgpu's own would not do the same."""

from typing import Any

import pytest
import yaml

from gitgpu.adopt.adoption import Fate
from gitgpu.objects.software.other_plugins import SOCKETS
from gitgpu.runs.import_ import Imported
from tests.adopt.test_first_build import helm_release, imported, nodes
from tests.adopt.test_kept_values import node_pool, policy
from tests.helping.cases import for_each

NVCR = "nvcr.io/nvidia"
PLUGIN_IMAGE, EXPORTER_IMAGE = f"{NVCR}/k8s-device-plugin:v0.18.2", f"{NVCR}/k8s/dcgm-exporter:4.5.3-4.8.2-distroless"


def daemon(name: str, image: str, template: Any = None, **container: Any) -> str:
    """A DaemonSet on all nodes."""
    labels = {"app": name}
    pod: dict[str, Any] = {
        "tolerations": [{"operator": "Exists"}],
        "containers": [{"name": name, "image": image, **container}],
    }
    if "plugin" in image:
        pod["volumes"] = [{"name": "sockets", "hostPath": {"path": "/var/lib/kubelet/device-plugins"}}]
    meta = {"labels": labels, **(template or {})}
    spec = {"selector": {"matchLabels": labels}, "template": {"metadata": meta, "spec": pod}}
    body = {"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": {"name": name, "namespace": "gpu"}, "spec": spec}
    return f"\n---\n{yaml.safe_dump(body)}"


def other(body: dict[str, Any]) -> str:
    """Another object."""
    return f"\n---\n{yaml.safe_dump(body)}"


def stack(made: Imported) -> Any:
    """The stack of the only cluster."""
    assert made.checked.inputs
    [cluster] = made.checked.inputs.clusters
    return cluster.stack


def left(made: Imported) -> dict[str, str]:
    """Why each object stays with its owner, by its name."""
    return {each.observed.name: each.reason for each in made.adopted.outcomes if each.fate is Fate.LEFT}


@for_each("command", ["args", "env"])
@for_each(
    ("flag", "variable", "value", "stays"),
    [
        ("device-list-strategy", "DEVICE_LIST_STRATEGY", "cdi-cri", True),
        ("device-list-strategy", "DEVICE_LIST_STRATEGY", "envvar", False),
        ("pass-device-specs", "PASS_DEVICE_SPECS", "true", True),
        ("nvidia-driver-root", "NVIDIA_DRIVER_ROOT", "/run/nvidia/driver", True),
        ("fail-on-init-error", "FAIL_ON_INIT_ERROR", "false", False),  # it only matters on nodes without GPUs
    ],
)
def test_an_option_of_the_plugin(command: str, flag: str, variable: str, value: str, stays: bool) -> None:
    given = {"args": [f"--{flag}={value}"]} if command == "args" else {"env": [{"name": variable, "value": value}]}
    made = imported(nodes() + daemon("plugin", PLUGIN_IMAGE, **given))
    assert stack(made).driver == ("aks-only" if stays else "aks")
    assert bool(made.software) is not stays
    assert (f"{value})" in left(made).get("DaemonSet/plugin", "")) is stays


@pytest.mark.parametrize(
    ("strategy", "profile", "driver"),
    [("mixed", "MIG1g", "aks-only"), ("single", "MIG1g", "aks"), ("mixed", "", "aks")],
)
def test_a_plugin_names_the_partitions_of_aks(strategy: str, profile: str, driver: str) -> None:
    """gitgpu's would advertise nvidia.com/gpu in place of nvidia.com/mig-1g.10gb."""
    plugin = daemon("plugin", PLUGIN_IMAGE, env=[{"name": "MIG_STRATEGY", "value": strategy}])
    pool = node_pool(**({"gpuInstanceProfile": profile} if profile else {}))
    assert stack(imported(f"{pool}{plugin}")).driver == driver


def test_an_option_that_an_unread_object_sets() -> None:
    reference = {"configMapKeyRef": {"name": "plugin", "key": "strategy"}}
    made = imported(
        nodes() + daemon("plugin", PLUGIN_IMAGE, env=[{"name": "DEVICE_LIST_STRATEGY", "valueFrom": reference}])
    )
    assert stack(made).driver == "aks-only"


@for_each(
    ("image", "key", "value"),
    [
        (f"{NVCR}/k8s-device-plugin:v0.14.5", "driver", "aks-only"),
        (f"{NVCR}/k8s-device-plugin:latest", "driver", "aks-only"),
        ("registry.k8s.io/node-problem-detector/node-problem-detector:v0.8.19", "health", "none"),
        (f"{NVCR}/gpu-feature-discovery:v0.8.2", "discovery", "none"),
    ],
)
def test_an_image_that_the_catalog_lacks_is_never_upgraded(image: str, key: str, value: str) -> None:
    made = imported(nodes() + daemon("running", image))
    assert getattr(stack(made), key) == value
    assert not [change for change in made.software if "running" in change.title]
    assert "DaemonSet/running" in left(made)


def test_an_exporter_that_the_catalog_lacks_is_never_upgraded() -> None:
    exporter = daemon("exporter", f"{NVCR}/k8s/dcgm-exporter:3.3.5-3.4.1-ubuntu22.04")
    made = imported(nodes() + daemon("plugin", PLUGIN_IMAGE) + exporter)
    assert (stack(made).driver, stack(made).metrics.exporter) == ("aks", False)
    assert not [change for change in made.software if "exporter" in change.title]


MONITOR: dict[str, Any] = {
    "apiVersion": "monitoring.coreos.com/v1",
    "kind": "ServiceMonitor",
    "metadata": {"name": "gpu", "namespace": "gpu", "labels": {"release": "kps"}},
    "spec": {"selector": {"matchLabels": {"app": "exporter"}}, "endpoints": [{"port": "metrics"}]},
}
SERVICE: dict[str, Any] = {
    "apiVersion": "v1",
    "kind": "Service",
    "metadata": {"name": "gpu", "namespace": "gpu", "labels": {"of": "metrics"}},
    "spec": {"selector": {"app": "exporter"}, "ports": [{"name": "metrics", "port": 9400}]},
}
SCRAPED = {"annotations": {"prometheus.io/scrape": "true"}}


def of_service(selector: dict[str, str]) -> str:
    """A Service, and a monitor that selects it by these labels."""
    spec = {**MONITOR["spec"], "selector": {"matchLabels": selector}}
    return other(SERVICE) + other({**MONITOR, "spec": spec})


@for_each(
    ("objects", "template", "stays"),
    [
        ("", None, False),
        (other(MONITOR), None, True),  # its Service was not read
        (of_service({"of": "metrics"}), None, True),
        (of_service({"of": "others"}), None, False),
        (other({**MONITOR, "metadata": {"name": "gpu", "namespace": "elsewhere"}}), None, False),
        ("", SCRAPED, True),
        (other({**SERVICE, "metadata": {**SERVICE["metadata"], **SCRAPED}}), None, True),
    ],
)
def test_an_exporter_that_is_scraped_in_its_own_way(objects: str, template: Any, stays: bool) -> None:
    """gitgpu's has other labels, and no annotation: nothing would scrape it."""
    made = imported(nodes() + daemon("plugin", PLUGIN_IMAGE) + daemon("exporter", EXPORTER_IMAGE, template) + objects)
    assert stack(made).metrics.exporter is not stays


@pytest.mark.parametrize("change", [{"metricRelabelings": [{"action": "drop", "regex": "a"}]}, {}])
def test_a_monitor_that_changes_the_metrics_stays(change: dict[str, Any]) -> None:
    spec = {"selector": {"matchLabels": {"app": "dcgm-exporter"}}, "endpoints": [{"port": "metrics", **change}]}
    running = (
        daemon("plugin", PLUGIN_IMAGE) + daemon("dcgm-exporter", EXPORTER_IMAGE) + other({**MONITOR, "spec": spec})
    )
    made = imported(nodes() + running)
    assert stack(made).metrics.exporter is (change == {})
    assert ("ServiceMonitor/gpu" in left(made)) is bool(change)


def test_the_values_of_a_chart_that_a_daemon_set_would_replace() -> None:
    release = {
        "apiVersion": "gitgpu.dev/v1alpha1",
        "kind": "HelmValues",
        "metadata": {"name": "plugin"},
        "chart": "nvidia-device-plugin",
        "version": "0.18.2",
        "namespace": "gpu",
    }
    for values, driver in (({}, "aks"), ({"compatWithCPUManager": True}, "aks-only")):
        assert stack(imported(nodes() + other({**release, "values": values}))).driver == driver
    assert stack(imported(nodes() + other({**release, "version": "0.14.5"}))).driver == "aks-only"


@for_each(("program", "stays"), [("gpu-kubelet-plugin", True), ("compute-domain-kubelet-plugin", False)])
def test_a_dra_driver_without_its_chart_stays(program: str, *, stays: bool) -> None:
    image = "registry.k8s.io/dra-driver-nvidia/dra-driver-nvidia-gpu:v0.5.0"
    rendered = daemon("dra", image, command=["bash", "-c"], args=[f"{program} -v $(LOG_VERBOSITY)"])
    made = imported(nodes() + rendered)
    assert (stack(made).driver == "aks-only") is stays


def operand(name: str, image: str, part: str) -> str:
    """A DaemonSet that the GPU Operator has created, as the cluster has it."""
    body = yaml.safe_load(daemon(name, image).removeprefix("\n---\n"))
    owner = {"apiVersion": "nvidia.com/v1", "kind": "ClusterPolicy", "name": "policy", "uid": "1", "controller": True}
    body["metadata"] |= {"ownerReferences": [owner], "labels": {"app.kubernetes.io/managed-by": "gpu-operator"}}
    body["spec"]["template"]["spec"]["nodeSelector"] = {f"nvidia.com/gpu.deploy.{part}": "true"}
    return other(body)


@for_each(
    ("name", "image", "part"),
    [("plugin", PLUGIN_IMAGE, "device-plugin"), ("exporter", EXPORTER_IMAGE, "dcgm-exporter")],
)
def test_operands_without_their_cluster_policy(name: str, image: str, part: str) -> None:
    """As in an export of DaemonSets only: a second device plugin would start on the nodes."""
    made = imported(nodes() + operand(name, image, part))
    assert (stack(made).driver, made.software) == ("aks-only", ())
    assert left(made)[f"DaemonSet/{name}"].startswith("created by a ClusterPolicy")


def test_operands_with_their_release() -> None:
    """They are no second device plugin."""
    release = helm_release("gpu-operator", "v25.10.1", {"driver": {"enabled": False}})
    made = imported(nodes(taint="nvidia.com/gpu") + release + operand("plugin", PLUGIN_IMAGE, "device-plugin"))
    assert stack(made).driver == "aks-only"
    assert not [outcome for outcome in made.adopted.outcomes if outcome.fate is Fate.WRONG]


def test_operands_are_not_replaced() -> None:
    """Their operator creates them again. Here it does not run on the pool, whose taint it does not tolerate."""
    running = policy({}, "v25.10.1") + operand("plugin", PLUGIN_IMAGE, "device-plugin")
    made = imported(f"{nodes()}\n---\n{running}")
    assert stack(made).driver == "aks"
    assert "DaemonSet/plugin" not in [change.title for change in made.software]


def test_windows_nodes_do_not_run_what_runs_on_linux() -> None:
    """The default configuration of a device plugin shares the GPUs of Linux nodes only."""
    shared = "version: v1\nsharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}"
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "sharing", "namespace": "gpu-operator"}}
    values = {"driver": {"enabled": False}, "devicePlugin": {"config": {"name": "sharing", "default": "any"}}}
    windows = node_pool(osType="Windows", osSKU="Windows2022", gpuProfile={"driver": "Install", "driverType": "CUDA"})
    running = helm_release("gpu-operator", "v25.10.1", values) + other({**config, "data": {"any": shared}})
    made = imported(f"{nodes(taint='nvidia.com/gpu')}\n---\n{windows}{running}")
    assert made.checked.inputs
    [pool] = (pool for pool in made.checked.inputs.pools if pool.windows)
    assert pool.sharing.way == ""
    assert not [each for each in made.adopted.outcomes if each.observed.name.startswith("ConfigMap") and each.into]


def test_an_image_with_a_digest_alone_that_the_catalog_lacks() -> None:
    digest = f"sha256:{'1' * 64}"
    made = imported(nodes() + daemon("running", f"{NVCR}/k8s-device-plugin@{digest}"))
    assert left(made)["DaemonSet/running"].startswith("its image has no tag that says which nvidia-device-plugin runs")


def test_images_of_an_operator_that_stays_need_no_registry() -> None:
    """gitgpu pulls none of them."""
    names = {"repository": "nvcr.io/nvidia/cloud-native", "image": "gpu-operator-validator"}
    body = policy({"validator": names}, "v25.10.1")
    made = imported(f"{nodes('None', 'nvidia.com/gpu')}\n---\n{body.replace('-v25.10.1', '-v24.9.2')}")
    assert "ClusterPolicy/cluster-policy" in left(made)
    assert not made.report().of(Fate.INEXPRESSIBLE)


@for_each(
    ("name", "image", "driver"),
    [
        ("plugin", "contoso.azurecr.io/nvidia-device-plugin:0.18.2", "aks-only"),
        ("plugin", "contoso.azurecr.io/images:nvidia-k8s-device-plugin-v0.18.2", "aks-only"),
        ("gpu-plugin", "contoso.azurecr.io/agents@sha256:" + "1" * 64, "aks-only"),
        ("amd-gpu-plugin", "contoso.azurecr.io/agents:1", "aks"),
        ("rdma", "nvcr.io/nvidia/cloud-native/k8s-rdma-shared-dev-plugin:1", "aks"),
        ("camera", "contoso.azurecr.io/camera-plugin:1", "aks"),
    ],
)
def test_a_device_plugin_with_an_unknown_image_gets_no_second_one(name: str, image: str, driver: str) -> None:
    for mounted in (SOCKETS, "/other"):
        body = yaml.safe_load(daemon(name, image).replace("---", ""))
        pod = body["spec"]["template"]["spec"]
        pod["volumes"] = [{"name": "sockets", "hostPath": {"path": mounted}}]
        pod["containers"][0]["volumeMounts"] = [{"name": "sockets", "mountPath": mounted}]
        made = imported(nodes() + other(body))
        assert stack(made).driver == (driver if mounted == SOCKETS else "aks")
        starts = any("nvidia-device-plugin" in change.title for change in made.software)
        assert starts is (stack(made).driver == "aks")


@pytest.mark.parametrize("by_karpenter", [True, False])
def test_why_another_name_of_a_mig_layout_is_no_option(by_karpenter: bool) -> None:
    """AKS changes labels of running nodes in place, and the operator partitions their GPUs again."""
    label = {"nvidia.com/mig.config": "all-1g.10gb"}
    pools = nodes("None", "nvidia.com/gpu").replace(
        "  template:\n", f"  template:\n    metadata: {{labels: {label}}}\n"
    )
    if not by_karpenter:
        pools = node_pool(nodeLabels=label, gpuProfile={"driver": "None"})
    made = imported(f"{pools}\n---\n{helm_release('gpu-operator', 'v26.3.3', {})}")
    [reason] = [each.outcome.reason for each in made.report().of(Fate.INEXPRESSIBLE)]
    effect = "replaces the nodes" if by_karpenter else "partitions the GPUs of running nodes again"
    assert reason.endswith(effect)
