"""Each key of a Fleet, a Cluster and a GpuPool changes the output or the findings, or the reason is listed here."""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

import pytest

from gitgpu.load.spec.shape import fleet_schema
from tests.emit.built import built
from tests.emit.fleets import CLUSTER_ID, Body, cluster, document, pool

OFF = "false is what happens without the key"
FACT = "rules compare the fact with other parts of the spec"
SAME = "what is written already, or happens without the key"
QUERY = "for queries, and no workload scales on one"
REASONS: Mapping[str, str] = {  # by key and value: why it changes nothing here
    "delivery.path overlays": SAME,
    "delivery.namespace flux-system": SAME,
    "delivery.namespaces create": SAME,
    "stack.metrics.server https://gpu-metrics-abcd.swedencentral.prometheus.monitor.azure.com": QUERY,
    "stack.keda none": SAME,
    "stack.rdmaDeviceClass nics.example.com": "claims of workloads with rdma name it",
    "stack.adapter none": SAME,
    "driver aks": SAME,
    "pool.driver aks": SAME,
    "retire False": OFF,
    "image.artifactStreaming False": OFF,
    "pool.image.artifactStreaming False": OFF,
    "image.fips False": OFF,
    "pool.image.fips False": OFF,
    "region swedencentral": SAME,
    "kubernetesVersion 1.34": SAME,
    "network.plugin none": FACT,
    "network.mode node-subnet": FACT,
    "network.policy azure": FACT,
    "network.policy cilium": FACT,
}
NO_POOL = "no node pool is an object of Azure Service Operator"
ASO_VERSIONS = fleet_schema()["definitions"]["serviceOperator"]["properties"]["apiVersion"]["enum"]
OF_PROVISIONER: Mapping[str, Mapping[str, str]] = {
    "nap": {
        "provisioner nap": SAME,
        "karpenter 1.12.1": FACT,
        "pool.spotTaint False": "a default is also for pools to come",
        "stack.aso.namespace azure": NO_POOL,
        **{f"delivery.azure {form}": "nothing in Azure is written for the cluster" for form in ("az", "bicep")},
        **{f"stack.aso.apiVersion {version}": NO_POOL for version in ASO_VERSIONS if version != "v1api20250801"},
    },
    "cluster-autoscaler": {
        "provisioner cluster-autoscaler": SAME,
        "network.plugin kubenet": FACT,
        "network.mode pod-subnet": FACT,
        "network.policy calico": FACT,
        "limits.gpus 32": "a limit above nodes.max",
        "limits.nodes 4": "a limit above nodes.max",
        "agentPool.mode User": SAME,
        "pool.agentPool.mode User": SAME,
        "security.encryptionAtHost False": OFF,
        "pool.security.encryptionAtHost False": OFF,
    },
}
DEFINITIONS: Mapping[str, Any] = fleet_schema()["definitions"]
PLACES = {
    "nap": [cluster(), pool("t4")],
    "cluster-autoscaler": [
        cluster(provisioner="cluster-autoscaler", resourceId=CLUSTER_ID),
        pool("t4", nodes={"min": 1, "max": 2}),
    ],
}


def keys(part: Mapping[str, Any], at: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Mapping[str, Any]]]:
    """The keys of a schema that do not only contain other keys, with their schema."""
    schema = DEFINITIONS[part["$ref"].rpartition("/")[2]] if "$ref" in part else part
    if schema.get("type") != "object" or "properties" not in schema:
        yield at, schema
        return
    for key, below in schema["properties"].items():
        yield from keys(below, (*at, key))


def values(part: Mapping[str, Any]) -> list[Any]:
    """Values of a key other than its default: each of its words, true and false, or its first example."""
    flags = [True, False] if part.get("type") == "boolean" else []
    examples = [*part.get("enum", ()), *flags] or part.get("examples", [part.get("const")])[:1]
    return [value for value in examples if "default" not in part or value != part["default"]]


def put(documents: list[Body], kind: str, path: tuple[str, ...], value: Any) -> list[Body]:
    """A copy of the documents, with the value in the document of a kind."""
    result = deepcopy(documents)
    at = next(body for body in result if body["kind"] == kind)["spec"]
    for key in path[:-1]:
        at = at.setdefault(key, {})
    at[path[-1]] = value
    return result


@pytest.mark.parametrize("provisioner", PLACES)
def test_every_key_counts_or_is_listed_with_its_reason(provisioner: str) -> None:
    documents = [document("Fleet", "example", {"delivery": {"repository": "https://github.com/contoso/gpus"}})]
    documents += PLACES[provisioner]
    bare, silent = built(documents), set()
    for kind, name in (("Fleet", "fleet"), ("Cluster", "cluster"), ("GpuPool", "gpupool")):
        for path, part in keys(DEFINITIONS[name]["properties"]["spec"]):
            for value in values(part):
                if built(put(documents, kind, path, value)).outcome == bare.outcome:
                    key = ".".join(path).removeprefix("defaults.")
                    silent.add(f"{key} {value}")
    assert silent == {*REASONS, *OF_PROVISIONER[provisioner]}
