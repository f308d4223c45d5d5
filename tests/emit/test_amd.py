"""AMD's GPUs: what is written must be what AMD's operator, Microsoft's recipe and the scrape ask for."""

import pytest

from tests.emit.fleets import A100, MI300X, Body, cluster, emitted, fleet, placed, pool

OPERATED: Body = {"driver": "operator"}
CHART = "amd-gpu-operator"


def test_nothing_manages_kernel_modules() -> None:
    """So nothing needs cert-manager; the driver is the DaemonSet's, and the operator waits for it."""
    found = emitted(fleet(), cluster(), pool("mi300x", MI300X, **OPERATED))
    values = found.values(CHART) or {}
    assert values["kmm"] == {"enabled": False, "watch": False}
    assert values["crds"] == {"defaultCR": {"install": False}}
    [config] = found.every("DeviceConfig")
    assert config["spec"]["driver"]["enable"] is False
    pod = found.one("DaemonSet", "amdgpu-driver")["spec"]["template"]["spec"]
    assert placed(pod["affinity"]) == ["mi300x"]
    assert found.one("AKSNodeClass", "mi300x")["spec"]["gpu"] == {"mode": "None"}


def test_no_image_is_left_to_chance() -> None:
    found = emitted(fleet(), cluster(), pool("mi300x", MI300X, **OPERATED))
    [config] = found.every("DeviceConfig")
    text = str(config)
    images = [word for word in text.replace("'", " ").split() if word.startswith(("docker.io/", "mcr.", "rocm/"))]
    assert len(images) == 4
    assert not any(image.endswith("latest") for image in images)


@pytest.mark.parametrize("others", [[], [pool("h100", A100, driver="operator")]], ids=["alone", "beside NVIDIA's"])
def test_one_feature_discovery(others: list[Body]) -> None:
    """Where the other operator brings it, AMD's release waits for that: its rules are of kinds that come with it."""
    found = emitted(fleet(), cluster(), pool("mi300x", MI300X, **OPERATED), *others)
    worker = found.discovery() or {}
    assert placed(worker["affinity"]) == sorted(["mi300x", *(one["metadata"]["name"] for one in others)])
    waits = found.one("HelmRelease", CHART)["spec"].get("dependsOn")
    assert waits == ([{"name": "gpu-operator"}] if others else None)


def test_the_scrape_finds_the_exporter() -> None:
    """AMD's operator labels the Service of its exporter with the DeviceConfig's name, and names the port."""
    found = emitted(fleet(), cluster(), pool("mi300x", MI300X, **OPERATED))
    [config], [monitor] = found.every("DeviceConfig"), found.every("ServiceMonitor")
    name = f"{config['metadata']['name']}-metrics-exporter"
    assert monitor["spec"]["selector"] == {"matchLabels": {"app.kubernetes.io/service": name}}
    assert monitor["spec"]["namespaceSelector"] == {"matchNames": [config["metadata"]["namespace"]]}
    assert monitor["spec"]["endpoints"][0]["port"] == "exporter-port"


def test_without_metrics_there_is_no_exporter() -> None:
    found = emitted(fleet(stack={"metrics": {"exporter": False}}), cluster(), pool("mi300x", MI300X, **OPERATED))
    [config] = found.every("DeviceConfig")
    assert config["spec"]["metricsExporter"] == {"enable": False}
    assert not found.every("ServiceMonitor")


def test_flux_does_not_wait_for_a_node() -> None:
    """A DeviceConfig is Ready once a node has a GPU, which is after the workloads that the layer after it holds."""
    found = emitted(fleet(), cluster(), pool("mi300x", MI300X, **OPERATED))
    checks = {one["kind"]: one for one in found.one("Kustomization", "example-nodes")["spec"]["healthCheckExprs"]}
    assert checks["DeviceConfig"]["current"] == "true"
    assert "ValidationError" in checks["DeviceConfig"]["failed"]
    without = emitted(fleet(), cluster(), pool("t4"))
    kinds = [one["kind"] for one in without.one("Kustomization", "example-nodes")["spec"]["healthCheckExprs"]]
    assert kinds == ["NodePool", "AKSNodeClass"]


def test_somebody_elses_software_is_left_alone() -> None:
    found = emitted(fleet(), cluster(), pool("mi300x", MI300X, driver="none"))
    assert {one["kind"] for one in (m.body for m in found.manifests)} == {
        "AKSNodeClass",
        "GitRepository",
        "Kustomization",
        "NodePool",
    }
