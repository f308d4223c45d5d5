"""The stack that is inferred from emitted objects is the stack that they were emitted from."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from gitgpu.adopt.adoption import Fate
from gitgpu.adopt.stack import stack
from gitgpu.adopt.stack.view import bare_view
from gitgpu.cli.init.starter import STARTER
from gitgpu.diagnostic import Severity
from gitgpu.load.text import Text
from gitgpu.runs.validate import CheckedFleet, validate_texts
from tests.adopt.clusters import adopted, built, emitted
from tools.support_matrix import BARE, DRIVERS, PROVISIONERS, SIZES, SYSTEMS, _document, _over, open_places

FLEET = Path(__file__).parents[2] / "fleet.yaml"
EXAMPLE = [body for body in yaml.load_all(FLEET.read_text(encoding="utf-8"), yaml.CSafeLoader) if body]
PARTS = ("driver", "partition", "driverBranch", "driverType", "devicePlugin", "rdma")
# Keys that show neither in objects nor in `az aks show`: pages of the runbook, folders that nothing applies, the Azure
# Monitor workspace. Whether a driver is set in the stack or in a pool depends on how many pools have it.
UNSEEN: Mapping[str, Mapping[str, Any]] = {
    "prod-swc": {
        "driver": "the pools say it",
        "verify": "applied by hand",
        "metrics.alerts": "a page, with azure-managed",
        "metrics.dashboards": "a page, with azure-managed",
        "metrics.workspace": "Azure's",
    },
    "prod-eus": {
        "metrics.alerts": "a page, with azure-managed",
        "metrics.dashboards": "a page, with azure-managed",
        "metrics.workspace": "Azure's",
    },
    "lab-weu": {},
    "models-swc": {},
    "lab-dra": {},
    "studio-uks": {},
}


def fleet(documents: list[Mapping[str, Any]]) -> CheckedFleet:
    """A fleet with these documents. Asserts that it has no error."""
    checked = validate_texts([Text("fleet.yaml", yaml.dump_all(documents, Dumper=yaml.CSafeDumper), "fleet.yaml")])
    assert [diagnostic for diagnostic in checked.diagnostics if diagnostic.severity is Severity.ERROR] == []
    return checked


def inferred_again(documents: list[Mapping[str, Any]], name: str) -> tuple[Any, Any, list[Any], list[Any]]:
    """For a cluster: its stack and the inferred one, and the objects that each of them emits."""
    inputs = fleet(documents).inputs
    assert inputs
    [cluster] = [each for each in inputs.clusters if each.name == name]
    observed_cluster = built(inputs, cluster)
    part = stack(bare_view(observed_cluster, inputs.catalog), adopted(observed_cluster))
    assert [each for each in part.outcomes if each.fate is Fate.INEXPRESSIBLE] == []
    again = fleet(replaced(documents, name, part.stack, part.pools)).inputs
    assert again
    [same] = [each for each in again.clusters if each.name == name]
    return cluster.stack, same.stack, emitted(inputs, cluster), emitted(again, same)


def replaced(documents: list[Any], name: str, inferred: Any, pools: Any) -> list[Any]:
    """The documents with the inferred stack of a cluster, and the inferred software keys of its pools."""
    made = json.loads(json.dumps(documents))
    for document in made:
        spec = document["spec"]
        if document["kind"] == "Fleet":
            spec.get("defaults", {}).pop("stack", None)
        if document["kind"] == "Cluster" and document["metadata"]["name"] == name:
            spec["stack"] = inferred
        if document["kind"] == "GpuPool":
            for key in PARTS:
                spec.pop(key, None)
            spec |= pools.get(document["metadata"]["name"], {})
    return list(made)


def differences(first: Any, second: Any, prefix: str = "") -> set[str]:
    """The fields of two stacks that differ."""
    fields: set[str] = set()
    for field in first._fields:
        value, other = getattr(first, field), getattr(second, field)
        if hasattr(value, "_fields"):
            fields |= differences(value, other, f"{field}.")
        elif value != other:
            fields.add(prefix + field)
    return fields


def of_one_cluster(name: str) -> list[Mapping[str, Any]]:
    """The example fleet with only this cluster, its pools and its workloads, without queues, which are not imported."""
    inputs = fleet(EXAMPLE).inputs
    assert inputs
    [cluster] = [each for each in inputs.clusters if each.name == name]
    pools = {pool.name for pool in inputs.pools_on(cluster)}
    kept = []
    for document in json.loads(json.dumps(EXAMPLE)):
        kind, own = document["kind"], document["metadata"]["name"]
        if kind == "GpuPool" and own in pools:
            document["spec"]["clusters"] = [name]
        if kind == "GpuWorkload":
            document["spec"]["pools"] = [pool for pool in document["spec"]["pools"] if pool in pools]
            document["spec"].pop("priority", None)
        if kind == "Cluster":
            for key in ("queues", "guard"):
                document["spec"].get("stack", {}).pop(key, None)
        wanted = {"Fleet": True, "Cluster": own == name, "GpuPool": own in pools}
        if wanted.get(kind, bool(document["spec"].get("pools"))):
            kept.append(document)
    return kept


@pytest.mark.parametrize("name", UNSEEN)
def test_a_cluster_of_the_example_fleet(name: str) -> None:
    """All keys that objects show are inferred, and the inferred spec emits the same objects."""
    was, now, objects, again = inferred_again(of_one_cluster(name), name)
    assert differences(was, now) == set(UNSEEN[name])
    assert again == objects


def test_the_stack_of_the_starter_fleet_is_inferred_again() -> None:
    was, now, objects, again = inferred_again(list(yaml.load_all(STARTER, yaml.CSafeLoader)), "my-cluster")
    assert differences(was, now) == set()
    assert again == objects


def _system(name: str, place: Any) -> list[Mapping[str, Any]]:
    """The documents of a row of systems.yaml in a place."""
    system = SYSTEMS[name]
    size = system.sizes.get(place.maker, SIZES[place.maker])
    pool = {"os": place.os, "sku": size, "driver": DRIVERS.get((place.os, place.maker), "aks")}
    keys: Any = BARE
    for above in (PROVISIONERS[place.provisioner], {"pool": pool}, system.needs, system.ask):
        keys = _over(keys, above)
    if "inference" in keys["workload"]:
        keys = _over(keys, {"workload": {"target": None}})
    return [_document(item) for item in keys.items()]


@pytest.mark.parametrize("place", open_places(), ids="-".join)
@pytest.mark.parametrize("name", sorted(SYSTEMS))
def test_each_system_emits_the_same_objects_again(name: str, place: Any) -> None:
    if SYSTEMS[name].ask == {"pool": {"driver": "aks-only"}}:
        pytest.skip("the software of another owner is not part of the output")
    if SYSTEMS[name].ask.get("cluster", {}).get("stack", {}).get("queues") == "aks":
        pytest.skip("what gitgpu writes does not show the extension")
    documents = _system(name, place)
    checked = validate_texts([Text("fleet.yaml", yaml.dump_all(documents, Dumper=yaml.CSafeDumper), "fleet.yaml")])
    if any(diagnostic.severity is Severity.ERROR for diagnostic in checked.diagnostics):
        pytest.skip("the system does not work in this place")
    _, _, objects, again = inferred_again(documents, "lab")
    assert again == objects


CLUSTER = {"region": "swedencentral", "kubernetesVersion": "1.36"}
LABELS = st.dictionaries(st.sampled_from(["release", "team"]), st.sampled_from(["a", "b"]), max_size=2)
STACKS = st.fixed_dictionaries(
    {},
    optional={
        "discovery": st.sampled_from(["gfd", "none"]),
        "keda": st.sampled_from(["helm", "none"]),
        "kaito": st.sampled_from(["helm", "none"]),
        "health": st.sampled_from(["npd", "none"]),
        "metrics": st.fixed_dictionaries(
            {"scrape": st.sampled_from(["prometheus-operator", "azure-managed", "none"])},
            optional={
                "exporter": st.booleans(),
                "interval": st.sampled_from(["10s", "30s", "1m", "90s"]),
                "counters": st.sampled_from(
                    ["standard", "profiling", ["DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_DEV_FB_USED", "DCGM_FI_DEV_FB_FREE"]]
                ),
                "probes": st.fixed_dictionaries({"readinessDelaySeconds": st.integers(1, 300)}),
                "labels": LABELS,
            },
        ),
    },
)
POOLS = st.lists(
    st.fixed_dictionaries(
        {
            "sku": st.sampled_from(["Standard_NC4as_T4_v3", "Standard_NC24ads_A100_v4"]),
            "driver": st.sampled_from(["aks", "operator", "managed", "none"]),
        },
        optional={
            "partition": st.fixed_dictionaries({"timeSlicing": st.fixed_dictionaries({"replicas": st.integers(2, 9)})})
        },
    ),
    min_size=1,
    max_size=3,
)


@given(STACKS, POOLS)
@example(
    {"metrics": {"scrape": "prometheus-operator", "interval": "10s", "labels": {"release": "a"}}},
    [{"sku": "Standard_NC4as_T4_v3", "driver": "managed"}],
)
@example(  # labels that only the alert rules have
    {
        "discovery": "gfd",
        "health": "npd",
        "metrics": {"scrape": "prometheus-operator", "exporter": False, "labels": {"release": "a"}},
    },
    [{"sku": "Standard_NC4as_T4_v3", "driver": "aks"}],
)
@settings(max_examples=10, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
def test_generated_stacks_emit_the_same_objects_again(asked: Any, pools: Any) -> None:
    documents = [
        {"kind": "Fleet", "name": "fleet", "spec": {"delivery": {"repository": "https://github.com/contoso/gpus"}}},
        {"kind": "Cluster", "name": "lab", "spec": {**CLUSTER, "stack": asked}},
        *(
            {"kind": "GpuPool", "name": f"pool-{at}", "spec": {"clusters": ["lab"], "limits": {"gpus": 8}, **pool}}
            for at, pool in enumerate(pools)
        ),
    ]
    start = {"apiVersion": "gitgpu.dev/v1alpha1"}
    whole: list[Any] = [
        {**start, "metadata": {"name": document["name"]}, "kind": document["kind"], "spec": document["spec"]}
        for document in documents
    ]
    checked = validate_texts([Text("fleet.yaml", yaml.dump_all(whole, Dumper=yaml.CSafeDumper), "fleet.yaml")])
    if any(diagnostic.severity is Severity.ERROR or diagnostic.code == "MET064" for diagnostic in checked.diagnostics):
        return  # MET064: labels that no scraper reads are not inferred
    _, _, objects, again = inferred_again(whole, "lab")
    assert without_namespaces(again) == without_namespaces(objects)


def without_namespaces(bodies: list[Any]) -> list[Any]:
    """Omits Namespaces: `health: npd` creates one if nothing else does, for a detector that no pool may need."""
    return [body for body in bodies if body["kind"] not in ("Namespace", "Kustomization")]
