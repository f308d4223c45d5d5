"""A chart that runs in a version that the catalog lacks is pinned, with a row in a catalog of the fleet's own."""

import json
from typing import Any

import pytest
import yaml

from gitgpu.adopt.adoption import Fate
from gitgpu.adopt.clusters import ClusterOptions
from gitgpu.diagnostic import Severity
from gitgpu.emit.chart.releases import releases
from gitgpu.load.catalog.folders import Folder
from gitgpu.load.text import Text
from gitgpu.model.catalog import catalog
from gitgpu.plan.cluster_plan import plan
from gitgpu.runs.build import build
from gitgpu.runs.import_ import Imported, import_fleet
from gitgpu.runs.validate import link_fleet
from tests.adopt.inventories import inventory
from tests.adopt.test_first_build import nodes
from tests.helping.cases import for_each

OPTIONS = ClusterOptions("", "swedencentral", "1.34", "https://github.com/contoso/gpu-fleet")
OWN = Folder("fleet/catalog", "fleet/catalog", {})
DRA = {"resources": {"gpus": {"enabled": True}}, "gpuResourcesEnabledOverride": True, "nvidiaDriverRoot": "/"}
CHARTS: dict[str, tuple[str, dict[str, Any]]] = {
    "keda": ("2.16.1", {"operator": {"replicaCount": 2}, "watchNamespace": "serving"}),
    "gpu-operator": ("v25.3.2", {"toolkit": {"enabled": True}, "driver": {"version": "570.148.08"}}),
    "dra-driver-nvidia-gpu": ("0.3.0", DRA),
}


def running(chart: str, version: str, values: Any = None, **more: Any) -> str:
    """A HelmRelease of Flux."""
    source = {"kind": "HelmRepository", "name": chart, "namespace": "flux-system"}
    spec = {"interval": "1h", "chart": {"spec": {"chart": chart, "version": version, "sourceRef": source}}, **more}
    body = {
        "apiVersion": "helm.toolkit.fluxcd.io/v2",
        "kind": "HelmRelease",
        "metadata": {"name": chart, "namespace": chart},
        "spec": {**spec, "values": values or {}},
    }
    return f"\n---\n{json.dumps(body)}\n"


def around(chart: str) -> str:
    """Nodes on which the stack of the cluster installs the chart."""
    return nodes("None", "nvidia.com/gpu") if chart == "gpu-operator" else nodes("Driver", "nvidia.com/gpu")


def imported(*clusters: str, own: Folder = OWN) -> Imported:
    """The fleet of these clusters, named c0, c1, ..."""
    texts = {f"c{number}": text for number, text in enumerate(clusters)}
    return import_fleet(inventory(texts), OPTIONS, (own,), "fleet")


def pins(made: Imported) -> dict[str, str]:
    """The pins of the first cluster."""
    [cluster] = [entry.document for entry in made.adopted.documents if entry.document.name == "c0"]
    return dict(cluster.spec.get("stack", {}).get("versions", {}))


@pytest.mark.parametrize("chart", CHARTS)
@pytest.mark.parametrize("newer", [False, True])
def test_the_fleet_keeps_version_and_values(chart: str, *, newer: bool) -> None:
    version, values = CHARTS[chart]
    version = ("v" if version.startswith("v") else "") + "99.1.0" if newer else version
    made = imported(around(chart) + running(chart, version, values))
    assert pins(made) == {chart: version}
    assert list(made.rows) == [f"releases/{chart}-{version}.yaml"]
    about_chart = [change for change in made.software if "HelmRelease" in change.title]
    assert about_chart == []
    assert [finding for finding in made.checked.diagnostics if finding.severity is Severity.ERROR] == []
    inputs = made.checked.inputs
    assert inputs
    [release] = [each for each in releases(plan(inputs, inputs.clusters[0])) if each.chart.release == chart]
    assert (release.chart.version, set_values(release.values)) == (version, values)


def set_values(values: Any) -> Any:
    """The values without mappings that set nothing."""
    if not isinstance(values, dict):
        return values
    cleaned = {key: set_values(value) for key, value in values.items()}
    return {key: value for key, value in cleaned.items() if value != {}}


@pytest.mark.parametrize("chart", CHARTS)
def test_the_row_is_valid_and_a_build_reads_it(chart: str) -> None:
    version, values = CHARTS[chart]
    made = imported(around(chart) + running(chart, version, values))
    folder = OWN._replace(texts=made.rows)
    facts = catalog((folder,))
    assert facts.files.faults == []
    row = facts.versions(chart)[version].facts["charts"]
    assert (row["version"], row["driver"], row["components"], row.get("images")) == (version, None, {}, None)
    texts = [Text(path, text, path) for path, text in made.files.items()]
    files = build(link_fleet(texts, made_with(folder))).files
    assert any(f'"{version}"' in text or f"version: {version}" in text for text in files.values())


def made_with(folder: Folder) -> Any:
    """How the fleet is read with its catalog."""
    from gitgpu.load.configuration.fleet_options import FleetOptions  # noqa: PLC0415

    return FleetOptions((folder,))


@pytest.mark.parametrize(
    "release",
    [
        running("keda", "2.16.x"),
        running("keda", "2.16.1", valuesFrom=[{"kind": "ConfigMap", "name": "keda"}]),
        running("gpu-operator-charts", "v1.2.0"),
    ],
)
def test_what_is_not_known_well_enough_stays_with_its_owner(release: str) -> None:
    made = imported(nodes() + release)
    assert (made.rows, pins(made)) == ({}, {})


def test_without_a_catalog_of_its_own_the_software_stays_with_its_owner() -> None:
    made = import_fleet(inventory({"c0": nodes() + running("keda", "2.16.1")}), OPTIONS, (), "fleet")
    assert (made.rows, pins(made)) == ({}, {})
    [left] = [
        outcome for outcome in made.adopted.outcomes if "HelmRelease" in outcome.observed.name and outcome.into is None
    ]
    assert (left.fate, "the catalog has no keda 2.16.1" in left.reason) == (Fate.LEFT, True)


def test_clusters_share_rows_and_each_is_the_same_alone() -> None:
    older, newer = (nodes() + running("keda", version) for version in ("2.16.1", "2.17.2"))
    together = imported(older, newer, older)
    assert list(together.rows) == ["releases/keda-2.16.1.yaml", "releases/keda-2.17.2.yaml"]
    first = imported(older)
    assert first.rows["releases/keda-2.16.1.yaml"] == together.rows["releases/keda-2.16.1.yaml"]
    again = imported(older, own=OWN._replace(texts=first.rows))
    assert (again.rows, pins(again)) == ({}, {"keda": "2.16.1"})


def test_a_release_that_the_fleet_does_not_install_is_reported_and_gets_no_row() -> None:
    made = imported(nodes() + running("node-feature-discovery", "0.16.4"))
    assert made.rows == {}
    [outcome] = [outcome for outcome in made.adopted.outcomes if "HelmRelease" in outcome.observed.name]
    assert (outcome.fate, outcome.reason) == (Fate.LEFT, "the fleet does not install it: it stays as it is")


def test_a_row_says_what_it_is() -> None:
    made = imported(nodes() + running("keda", "2.17.2"))
    [text] = made.rows.values()
    row = yaml.load(text, yaml.CSafeLoader)
    assert text.startswith("# Written by `gitgpu import`")
    assert (row["chart"]["appVersion"], row["image"], row["asOf"]) == ("2.17.2", None, None)


def daemon(name: str, image: str) -> str:
    """A DaemonSet of a team's own on the nodes."""
    sockets = {"name": "dp", "mountPath": "/var/lib/kubelet/device-plugins"}
    spec = {
        "tolerations": [{"key": "sku", "operator": "Exists"}],
        "containers": [{"name": name, "image": image, "volumeMounts": [sockets]}],
        "volumes": [{"name": "dp", "hostPath": {"path": sockets["mountPath"]}}],
    }
    labels = {"app": name}
    body = {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": name, "namespace": "kube-system"},
        "spec": {"selector": {"matchLabels": labels}, "template": {"metadata": {"labels": labels}, "spec": spec}},
    }
    return f"\n---\n{json.dumps(body)}\n"


MICROSOFT = "mcr.microsoft.com/oss/v2/nvidia"
PLUGIN = daemon("plugin", "nvcr.io/nvidia/k8s-device-plugin:v0.17.1")
EXPORTER = daemon("exporter", "nvcr.io/nvidia/k8s/dcgm-exporter:4.2.3-4.2.0-ubuntu22.04")


@pytest.mark.parametrize(
    ("objects", "software", "version"),
    [
        (PLUGIN, "nvidia-device-plugin", "v0.17.1"),
        (daemon("plugin", "contoso.azurecr.io/nvidia/k8s-device-plugin:v0.17.1"), "nvidia-device-plugin", "v0.17.1"),
        (daemon("plugin", f"{MICROSOFT}/k8s-device-plugin:v0.17.1-3"), "nvidia-device-plugin", "v0.17.1"),
        (daemon("plugin", "nvcr.io/nvidia/k8s-device-plugin:v0.99.0"), "nvidia-device-plugin", "v0.99.0"),
        (running("nvidia-device-plugin", "0.17.1"), "nvidia-device-plugin", "v0.17.1"),
        (EXPORTER, "dcgm-exporter", "4.2.3-4.2.0-ubuntu22.04"),
        (
            running("dcgm-exporter", "4.2.0", {"image": {"tag": "4.2.3-4.2.0-ubuntu22.04"}}),
            "dcgm-exporter",
            "4.2.3-4.2.0-ubuntu22.04",
        ),
    ],
)
def test_an_image_in_a_version_that_the_catalog_lacks_is_pinned(objects: str, software: str, version: str) -> None:
    made = imported(nodes() + objects)
    assert pins(made) == {software: version}
    assert list(made.rows) == [f"releases/{software}-{version}.yaml"]
    folder = OWN._replace(texts=made.rows)
    row = catalog((folder,)).versions(software)[version].facts["containers"]
    assert (row["version"], row["digest"]) == (version, None)
    texts = [Text(path, text, path) for path, text in made.files.items()]
    files = build(link_fleet(texts, made_with(folder))).files
    name = row["repository"].rpartition("/")[2]
    assert any(f"/{name}:{version}" in text for text in files.values())


@for_each(
    "image",
    [
        "nvcr.io/nvidia/k8s-device-plugin:v0.14.5",  # without the MPS control daemon
        "nvcr.io/nvidia/k8s-device-plugin:latest",
        "nvcr.io/nvidia/k8s-device-plugin",
        "nvcr.io/nvidia/k8s-device-plugin:v0.17",  # a tag that moves
        "nvcr.io/nvidia/k8s-device-plugin@sha256:" + "0" * 64,
        "nvcr.io/nvidia/k8s/dcgm-exporter:3.3.9-3.6.1-ubuntu22.04",  # ignores KUBERNETES_VIRTUAL_GPUS
    ],
)
def test_an_image_that_gitgpu_may_not_run_stays_with_its_owner(image: str) -> None:
    made = imported(nodes() + daemon("software", image))
    assert (made.rows, pins(made)) == ({}, {})
    assert [change for change in made.software if "DaemonSet/software" in change.title] == []


CLUSTERS = "providers/Microsoft.ContainerService/managedClusters"
AKS = f"/subscriptions/{'0' * 8}-0000-0000-0000-{'0' * 12}/resourceGroups/rg/{CLUSTERS}/c0"
ND = """
apiVersion: containerservice.azure.com/v1api20250801
kind: ManagedClustersAgentPool
metadata: {name: nd, namespace: fleet}
spec:
  owner: {armId: ID}
  vmSize: Standard_ND96isr_H100_v5
  osType: Linux
  mode: User
  count: 2
---
apiVersion: mellanox.com/v1alpha1
kind: NicClusterPolicy
metadata: {name: nic-cluster-policy}
spec:
  ofedDriver: {repository: nvcr.io/nvidia/mellanox, image: doca-driver, version: doca3.1.0-25.07-0.9.7.0-0}
  sriovDevicePlugin:
    repository: nvcr.io/nvidia/mellanox
    image: sriov-network-device-plugin
    version: network-operator-v25.7.0
    config: '{"resourceList": [{"resourcePrefix": "rdma", "resourceName": "ib", "selectors": {"isRdma": true}}]}'
""".replace("ID", AKS)


def test_the_network_operator_and_what_it_runs_are_pinned() -> None:
    made = imported(ND + running("network-operator", "25.7.0"))
    wanted = {
        "network-operator": "25.7.0",
        "doca-driver": "doca3.1.0-25.07-0.9.7.0-0",
        "sriov-device-plugin": "network-operator-v25.7.0",
    }
    assert pins(made) == wanted
    assert sorted(made.rows) == sorted(f"releases/{name}-{version}.yaml" for name, version in wanted.items())
    folder = OWN._replace(texts=made.rows)
    row = catalog((folder,)).versions("doca-driver")[wanted["doca-driver"]].facts["containers"]
    assert "digests" not in row  # those of another version
    texts = [Text(path, text, path) for path, text in made.files.items()]
    files = build(link_fleet(texts, made_with(folder))).files
    [policy] = [text for path, text in files.items() if "nicclusterpolicy" in path]
    assert wanted["doca-driver"] in policy
    assert wanted["sriov-device-plugin"] in policy


def test_rows_of_images_do_not_depend_on_the_order_of_clusters() -> None:
    first, second = nodes() + PLUGIN, nodes() + running("nvidia-device-plugin", "0.17.1") + EXPORTER
    assert imported(first, second).rows == imported(second, first).rows
    alone = imported(first).rows
    assert alone.items() <= imported(first, second).rows.items()
