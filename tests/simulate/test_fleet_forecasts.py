"""Forecasts for fleets: the effect of each feature on its workload, and pods per node."""

from typing import Any

import pytest
import yaml
from syrupy.assertion import SnapshotAssertion

from gitgpu.diagnostic import Severity, worst
from gitgpu.load.text import Text
from gitgpu.objects.manifest.manifests import Manifests, read_manifests
from gitgpu.runs.simulate import Assumptions, of_fleet
from gitgpu.runs.validate import link_fleet, validate_texts
from tests.simulate.test_effect_of_each_value import _of_cluster
from tests.simulate.worlds import A100, CLASS, GPU, Body, deployment, pool
from tools.support_matrix import PLACES, SYSTEMS, Place, spec_of

LINUX = [place for place in PLACES if (place.os, place.maker) == ("linux", "nvidia")]
NAP, SCALED = LINUX
GIVEN = Assumptions({}, {}, "", "1.36")
SWEDEN = {"region": "swedencentral", "kubernetesVersion": "1.36"}
NOTHING: Manifests = read_manifests([])


def work(**more: Any) -> Manifests:
    """The workload of the fleets, as its team applies it."""
    body = deployment("work", 3, requests={"cpu": "1"}, **more)
    body["metadata"]["namespace"] = "team"
    return read_manifests([Text("work.yaml", yaml.safe_dump(body), "work.yaml")])


def forecast(spec: Text, beside: Manifests) -> list[str]:
    """The forecast for a fleet as lines; empty if it has errors."""
    checked = validate_texts([spec])
    inputs = checked.inputs
    if inputs is None or worst(checked.diagnostics) is Severity.ERROR:
        return []
    lines = [*spec.content.splitlines(), *[""] * 200]
    forecasts = of_fleet(inputs, inputs.clusters, beside, GIVEN)
    return [line for each in forecasts for line in (f"{each.cluster} {each.region}", *_of_cluster(each, lines))]


@pytest.mark.parametrize("place", LINUX, ids=lambda place: place.provisioner)
def test_what_a_system_changes_for_its_workload(place: Place, snapshot: SnapshotAssertion) -> None:
    recorded, seen = list[str](), set[tuple[str, ...]]()
    for name in ("", *SYSTEMS):
        for beside in (NOTHING, work(main={"name": "work"})):
            reported = forecast(spec_of(name, place), beside)
            if reported and tuple(reported) not in seen:
                seen.add(tuple(reported))
                recorded += [
                    f"{name or 'nothing'}, {'with' if beside is not NOTHING else 'without'} manifests",
                    *reported,
                ]
    assert "\n".join(recorded) == snapshot


@pytest.mark.parametrize(
    ("network", "pool", "nodes"),
    [
        ({}, {}, 1),
        ({"plugin": "azure", "mode": "overlay"}, {}, 1),
        ({"plugin": "azure", "mode": "node-subnet"}, {}, 2),
        ({"plugin": "none"}, {}, 1),
        ({}, {"maxPods": 20}, 3),
    ],
)
def test_how_many_pods_a_node_may_run(network: Body, pool: Body, nodes: int) -> None:
    documents = list(yaml.load_all(spec_of("", NAP).content, yaml.CSafeLoader))
    for document in documents:
        document["spec"] |= {"Cluster": {"network": network} if network else {}, "GpuPool": pool}.get(
            document["kind"], {}
        )
    small = deployment("small", 40, gpus=0, requests={"cpu": "10m"}, nodeSelector={"karpenter.sh/nodepool": "pool"})
    text = yaml.safe_dump(small)
    inputs = validate_texts([Text("fleet.yaml", yaml.safe_dump_all(documents), "fleet.yaml")]).inputs
    assert inputs is not None
    beside = read_manifests([Text("small.yaml", text, "small.yaml")])
    [result] = of_fleet(inputs, inputs.clusters, beside, GIVEN)
    assert len(result.high) == nodes


@pytest.mark.parametrize(("strategy", "resource"), [("mixed", "nvidia.com/mig-1g.10gb"), ("single", GPU)])
def test_instances_of_managed_nodes_have_the_name_that_the_strategy_gives_them(strategy: str, resource: str) -> None:
    """AKS installs the device plugin, so only the pool itself shows how the instances are named."""
    mig = {"strategy": strategy, "profiles": {"1g.10gb": 7}}
    managed = {"driver": "managed", "sku": A100, "nodes": {"min": 1, "max": 1}, "partition": {"mig": mig}}
    documents = list(yaml.load_all(spec_of("", SCALED).content, yaml.CSafeLoader))
    for document in documents:
        document["spec"] |= managed if document["kind"] == "GpuPool" else {}
    checked = validate_texts([Text("fleet.yaml", yaml.safe_dump_all(documents), "fleet.yaml")])
    assert checked.inputs is not None, checked.diagnostics
    asks = deployment("asks", 8, gpus=0, limits={resource: "1"}, tolerations=[{"operator": "Exists"}])
    beside = read_manifests([Text("asks.yaml", yaml.safe_dump(asks), "asks.yaml")])
    [result] = of_fleet(checked.inputs, checked.inputs.clusters, beside, GIVEN)
    assert [verdict.high.placed for verdict in result.verdicts if verdict.name == "asks"] == [7]


def test_a_rejected_object_without_a_name_yet_hides_no_other() -> None:
    """Jobs with generateName have no name, so that their identities are equal."""
    inputs = validate_texts([spec_of("", NAP)]).inputs
    assert inputs is not None
    files = []
    for number, image in enumerate(("a:1", "a:1", "", "")):
        container = {"name": "a", "image": image, "resources": {"limits": {GPU: "1"}}}
        spec = {"restartPolicy": "Never", "containers": [container]}
        metadata = {"generateName": f"job{number}-", "namespace": "team"}
        body = {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": {"template": {"spec": spec}}}
        files.append(Text(f"{number}.yaml", yaml.safe_dump(body), f"{number}.yaml"))
    [result] = of_fleet(inputs, inputs.clusters, read_manifests(files), GIVEN)
    found = {verdict.name: "refused" in [reason.kind for reason in verdict.reasons] for verdict in result.verdicts}
    assert {name: refused for name, refused in found.items() if name.startswith("job")} == {
        "job0-*": False,
        "job1-*": False,
        "job2-*": True,
        "job3-*": True,
    }


@pytest.mark.parametrize(("kubernetes", "hardened"), [("1.36", False), ("1.37", True), ("1.38", True)])
def test_nodes_of_newer_versions_have_an_unknown_amount_for_pods(kubernetes: str, *, hardened: bool) -> None:
    """AKS does not say how much hardened nodes reserve: what needs a new node may not fit."""
    text = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: f}
spec: {delivery: {repository: https://example.com/x}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: c1}
spec: {region: swedencentral, kubernetesVersion: "VERSION"}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec: {clusters: [c1], sku: Standard_NC16as_T4_v3, limits: {gpus: 2}}
""".replace("VERSION", kubernetes)
    inputs = link_fleet([Text("fleet.yaml", text, "fleet.yaml")]).inputs
    assert inputs is not None
    small, none = (deployment(name, 1, requests=asked) for name, asked in (("small", {"cpu": "1"}), ("none", {})))
    beside = read_manifests([Text("w.yaml", yaml.safe_dump_all([small, none]), "w.yaml")])
    [found] = of_fleet(inputs, inputs.clusters, beside, GIVEN)
    doubts = [doubt for each in found.verdicts for doubt in each.doubts if "hardened" in doubt.message]
    assert bool(doubts) is hardened
    assert all(doubt.decides for doubt in doubts)


@pytest.mark.parametrize(("clusters", "placed"), [(("c1",), 1), (("c1", "c2"), 0)], ids=["one cluster", "two clusters"])
def test_pools_among_the_workloads_reach_no_other_cluster(clusters: tuple[str, ...], placed: int) -> None:
    """Which of several clusters has the pool is not known."""
    head: Body = {"apiVersion": "gitgpu.dev/v1alpha1"}
    named = [{**head, "kind": "Cluster", "metadata": {"name": name}, "spec": SWEDEN} for name in clusters]
    delivery = {"delivery": {"repository": "https://example.com/x"}}
    t4 = {"clusters": list(clusters), "sku": "Standard_NC16as_T4_v3", "limits": {"gpus": 2}}
    documents = [
        {**head, "kind": "Fleet", "metadata": {"name": "f"}, "spec": delivery},
        *named,
        {**head, "kind": "GpuPool", "metadata": {"name": "t4"}, "spec": t4},
    ]
    inputs = link_fleet([Text("fleet.yaml", yaml.safe_dump_all(documents), "fleet.yaml")]).inputs
    assert inputs is not None
    large = deployment("large", requests={"cpu": "20"})
    text = yaml.safe_dump_all([CLASS, pool("a", A100), large])
    beside = read_manifests([Text("w.yaml", text, "w.yaml")])
    for found in of_fleet(inputs, inputs.clusters, beside, GIVEN):
        [verdict] = found.verdicts
        assert (verdict.name, verdict.high.placed) == ("large", placed)
