"""Import pins running versions that are not the newest, so that the first build upgrades nothing."""

import pytest
import yaml

from gitgpu.adopt.adoption import Fate, StackPart
from gitgpu.adopt.clusters import ClusterOptions
from gitgpu.diagnostic import Severity
from gitgpu.load.text import Text
from gitgpu.runs.build import build
from gitgpu.runs.import_ import Imported, import_fleet
from gitgpu.runs.validate import link_fleet
from tests.adopt.inventories import inventory
from tests.adopt.test_stack import AGENT_POOL, CATALOG, FLUX, NODES, PLUGIN, WITHOUT_DRIVER, helm, inferred, lost
from tests.helping.cases import for_each

HEAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: contoso}
spec: {delivery: {engine: flux, repository: https://github.com/contoso/gpu-fleet}}
---
"""
DRA = "dra-driver-nvidia-gpu"
FLEETS = {
    "operator": """\
stack: {driver: operator, keda: helm, kaito: helm, health: npd, versions: PINS}
---
{name: t4, sku: Standard_NC16as_T4_v3, partition: {timeSlicing: {replicas: 2}}}
{name: h100, sku: Standard_ND96isr_H100_v5, rdma: shared}
{name: mi, sku: Standard_ND96isr_MI300X_v5}
""",
    "aks": """\
stack: {discovery: gfd, versions: PINS}
---
{name: t4, sku: Standard_NC16as_T4_v3}
""",
    "dra": """\
stack: {driver: operator, allocation: dra, versions: PINS}
---
{name: t4, sku: Standard_NC16as_T4_v3}
""",
    "sriov": """\
stack: {driver: operator, versions: PINS}
---
{name: h100, sku: Standard_ND96isr_H100_v5, rdma: sriov}
""",
}
SOFTWARE = {
    "operator": (
        *("gpu-operator", "amd-gpu-operator", "amd-metrics-exporter", "network-operator", "doca-driver"),
        *("rdma-shared-device-plugin", "keda", "kaito-workspace", "node-problem-detector"),
    ),
    "aks": ("nvidia-device-plugin", "dcgm-exporter", "node-feature-discovery"),
    "dra": ("dra-driver-nvidia-gpu",),
    "sriov": ("sriov-device-plugin",),
}
OLDER = [
    (fleet, software, version)
    for fleet, names in SOFTWARE.items()
    for software in names
    for version in list(CATALOG.versions(software))[:-1]
]
CHART = "apiVersion: helm.toolkit.fluxcd.io/v2"


def spec_of(fleet: str, pins: str, names: tuple[str, ...] = ("prod",), engine: str = "flux") -> str:
    """The spec of one of the fleets, on these clusters."""
    stack, pools = FLEETS[fleet].split("---\n")
    head = HEAD.replace("flux", engine)
    for name in names:
        head += "apiVersion: gitgpu.dev/v1alpha1\nkind: Cluster\n"
        head += f"metadata: {{name: {name}}}\nspec:\n  region: swedencentral\n  kubernetesVersion: '1.36'\n"
        head += f"  {stack.replace('PINS', pins)}---\n"
    for pool in yaml.load_all(pools.replace("\n{", "\n---\n{"), yaml.CSafeLoader):
        body = {"clusters": list(names), "limits": {"gpus": 16}, **{k: v for k, v in pool.items() if k != "name"}}
        meta = {"apiVersion": "gitgpu.dev/v1alpha1", "kind": "GpuPool", "metadata": {"name": pool["name"]}}
        head += yaml.safe_dump({**meta, "spec": body}) + "---\n"
    return head


def imported_again(spec: str) -> Imported:
    """Imports the output of a fleet."""
    made = build(link_fleet([Text("fleet.yaml", spec, "fleet.yaml")]))
    assert [each for each in made.errors if each.severity is Severity.ERROR] == []
    texts: dict[str, list[str]] = {}
    for path, text in made.files.items():
        if path.endswith(".yaml") and "kustomization" not in path and "/verify/" not in path:
            texts.setdefault(path.partition("/")[0], []).append(text)
    return import_fleet(
        inventory({name: "---\n".join(each) for name, each in texts.items()}), ClusterOptions(), (), "fleet"
    )


def pins(made: Imported) -> dict[str, dict[str, str]]:
    """The pins, by the name of their document."""
    documents = [each for text in made.files.values() for each in yaml.load_all(text, yaml.CSafeLoader)]
    stacks = {
        each["metadata"]["name"]: each["spec"].get("stack", {}) for each in documents if each["kind"] == "Cluster"
    }
    return {name: stack["versions"] for name, stack in stacks.items() if "versions" in stack}


@pytest.mark.parametrize("engine", ["flux", "argocd"])
@pytest.mark.parametrize(("fleet", "software", "version"), OLDER)
def test_a_pin_is_inferred_from_the_running_version(fleet: str, software: str, version: str, engine: str) -> None:
    made = imported_again(spec_of(fleet, f"{{{software}: {version!r}}}", engine=engine))
    assert list(pins(made).values()) == [{software: version}]
    assert [each for each in made.adopted.outcomes if each.fate is Fate.INEXPRESSIBLE] == []


@pytest.mark.parametrize("fleet", FLEETS)
def test_the_newest_versions_are_not_pinned(fleet: str) -> None:
    assert pins(imported_again(spec_of(fleet, "{}"))) == {}


def test_each_cluster_has_its_own_pin() -> None:
    made = imported_again(spec_of("operator", "{gpu-operator: v26.3.3}", ("lab", "prod")))
    assert pins(made) == {name: {"gpu-operator": "v26.3.3"} for name in ("lab", "prod")}


def test_a_release_whose_chart_the_fleet_does_not_install_gets_no_pin() -> None:
    """The fleet installs no GPU Operator if AKS installs the driver."""
    made = import_fleet(
        inventory({"prod": NODES + helm_release("gpu-operator", "v25.10.1")}), ClusterOptions(), (), "fleet"
    )
    assert pins(made) == {}
    assert not any("v25.10.1" in each.reason for each in made.adopted.outcomes if each.fate is Fate.INFERRED)


def helm_release(chart: str, version: str) -> str:
    """A HelmRelease."""
    spec = FLUX.replace("keda, version: 2.18.0", f"{chart}, version: {version!r}").replace("name: keda,", "name: own,")
    return spec if version else spec.replace(", version: ''", "")


def versions(part: StackPart) -> object:
    """The pins of a stack."""
    return part.stack.get("versions")


def reported(part: StackPart) -> list[str]:
    """The outcomes about versions."""
    return [each.reason for each in part.outcomes if "first build" in each.reason]


@pytest.mark.parametrize("version", ["2.19.0", "v2.19.0", "2.19.0+build.1"])
def test_a_version_is_written_as_the_catalog_has_it(version: str) -> None:
    assert versions(inferred(NODES + helm_release("keda", version))) == {"keda": "2.19.0"}
    assert versions(inferred(NODES + helm("keda", version=version))) == {"keda": "2.19.0"}


@pytest.mark.parametrize("version", ["25.10.1", "v25.10.1"])
def test_the_pin_of_the_operator_starts_with_v(version: str) -> None:
    part = inferred(WITHOUT_DRIVER + helm_release("gpu-operator", version))
    assert versions(part) == {"gpu-operator": "v25.10.1"}


@for_each(
    ("image", "pin"),
    [
        ("nvcr.io/nvidia/k8s-device-plugin:v0.18.2", {"nvidia-device-plugin": "v0.18.2"}),
        ("nvcr.io/nvidia/k8s-device-plugin:v0.18.2@sha256:" + "0" * 64, {"nvidia-device-plugin": "v0.18.2"}),
        ("contoso.azurecr.io/mirror/nvidia/k8s-device-plugin:v0.19.3", {"nvidia-device-plugin": "v0.19.3"}),
        ("mcr.microsoft.com/oss/v2/nvidia/k8s-device-plugin:v0.18.2-12", {"nvidia-device-plugin": "v0.18.2"}),
        ("nvcr.io/nvidia/k8s-device-plugin:v0.20.0", None),
        ("nvcr.io/nvidia/k8s-device-plugin@sha256:" + "0" * 64, None),
        ("nvcr.io/nvidia/k8s/dcgm-exporter:4.4.2-4.7.1-ubuntu22.04", {"dcgm-exporter": "4.4.2-4.7.1-ubuntu22.04"}),
        ("nvcr.io/nvidia/k8s/dcgm-exporter:4.4.2-4.7.1-distroless", {"dcgm-exporter": "4.4.2-4.7.1-ubuntu22.04"}),
        ("docker.io/rocm/k8s-device-plugin:1.25.2.8", None),
    ],
)
def test_images_of_daemon_sets(image: str, pin: object) -> None:
    part = inferred(NODES + PLUGIN.replace("mcr.microsoft.com/oss/v2/nvidia/k8s-device-plugin:v0.18.2-12", image))
    assert versions(part) == pin
    assert reported(part) == []


def test_the_label_of_an_object_names_the_chart_that_made_it() -> None:
    operator = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: gpu-operator, namespace: gpu-operator, labels: {helm.sh/chart: gpu-operator-v26.3.3}}
spec: {}
---
"""
    assert versions(inferred(WITHOUT_DRIVER + operator)) == {"gpu-operator": "v26.3.3"}
    both = inferred(WITHOUT_DRIVER + operator + helm_release("gpu-operator", "26.3.x"))
    assert (versions(both), reported(both)) == ({"gpu-operator": "v26.3.3"}, [])


@for_each(
    ("chart", "version", "words"),
    [
        (DRA, "0.0.9", f"the catalog has no {DRA} 0.0.9, "),
        (DRA, "99.0.0", f"the catalog has no {DRA} 99.0.0, "),
        ("keda", "1.2.x", "its version '1.2.x' does not say which keda runs, "),
        ("keda", "latest", "its version 'latest' does not say which keda runs, "),
        ("network-operator", "24.1.0", "the catalog has no network-operator 24.1.0, "),
    ],
)
def test_a_version_that_the_catalog_does_not_have_stays_with_its_owner(chart: str, version: str, words: str) -> None:
    part = inferred(NODES + helm_release(chart, version))
    assert (versions(part), reported(part)) == (None, [])
    [left] = [each for each in part.outcomes if each.fate is Fate.LEFT and "HelmRelease" in each.observed.name]
    assert left.reason.startswith(words)
    assert not part.running


@pytest.mark.parametrize(("version", "pin"), [("2.18.x", "2.18.3"), ("~2.19", "2.19.0"), (">=2.18 <2.20", "2.19.0")])
def test_of_a_range_the_newest_known_version_runs(version: str, pin: str) -> None:
    assert versions(inferred(NODES + helm_release("keda", version))) == {"keda": pin}


def test_without_a_version_flux_installs_the_newest_as_gitgpu_does() -> None:
    part = inferred(NODES + helm_release("keda", ""))
    assert (versions(part), reported(part)) == (None, [])


def test_one_cluster_has_one_version() -> None:
    """If two versions run, the newer one is kept, so that nothing is downgraded. The other one is reported."""
    older = PLUGIN.replace("v0.18.2-12", "v0.18.2").replace("name: nvidia-device-plugin-daemonset", "name: other")
    part = inferred(AGENT_POOL + older + PLUGIN.replace("v0.18.2-12", "v0.19.3"))
    assert versions(part) == {"nvidia-device-plugin": "v0.19.3"}
    assert any("one value for stack.versions.nvidia-device-plugin" in each.reason for each in part.outcomes)


def test_values_are_those_that_the_pinned_version_reads() -> None:
    value, nodes = "{gfd: {hostNetwork: true}}", WITHOUT_DRIVER.replace("key: sku", "key: nvidia.com/gpu")
    newer, older = (inferred(nodes + helm("gpu-operator", value, version=f"v{n}")) for n in ("26.3.3", "25.10.1"))
    assert newer.stack["values"]["gpu-operator"]["gfd"] == {"hostNetwork": True}
    assert "gfd" not in older.stack.get("values", {}).get("gpu-operator", {})
    assert lost(older) == []  # the version that runs does not read it either
