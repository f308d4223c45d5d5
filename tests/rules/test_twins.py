"""A fleet rule and its twin about objects are one idea: what is built from the bad example of one breaks the other."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import pytest

from gitgpu.emit import emit, emitters
from gitgpu.emit.manifest import Manifest, Role
from gitgpu.load.schemas import Schemas
from gitgpu.objects.items import item_of
from gitgpu.objects.objects import Given
from gitgpu.objects.safeguards import Safeguards
from gitgpu.patch import apply_patches
from gitgpu.patch.emitted import as_given
from gitgpu.patch.scope import namespace_of
from gitgpu.plan.cluster_plan import plan
from gitgpu.report.reference.rules import facts, markdown, page
from gitgpu.rule import AnyRule
from gitgpu.rules.fleet_rulebook import fleet_rules
from gitgpu.rules.norms import norms
from gitgpu.rules.object_findings import object_findings
from gitgpu.rules.object_rulebook import object_rules
from gitgpu.simulate.pod.patches import apply_overlays
from tests.rules.fleet.examples import day, findings_in, inputs_of
from tests.rules.objects.samples import read

FLEET = {rule.code: rule for rule in fleet_rules()}
OBJECTS = {rule.code: rule for rule in object_rules()}
TWINS: list[AnyRule] = [rule for rule in FLEET.values() if rule.twin]

AKS = "Microsoft.ContainerService/managedClusters"
NODE_POOLS = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec:
  region: swedencentral
  kubernetesVersion: "1.36"
  provisioner: cluster-autoscaler
  resourceId: ID
---
""".replace("ID", f"/subscriptions/{'0' * 8}-0000-0000-0000-{'0' * 12}/resourceGroups/gpu/providers/{AKS}/prod-swc")
CLUSTER = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec:
  region: swedencentral
  kubernetesVersion: "1.36"
  stack: STACK
---
"""
METRICS = '{metrics: {scrape: prometheus-operator, server: "http://prometheus.monitoring:9090"}}'
OLDER_OPERATOR = "{versions: {gpu-operator: v26.3.3}}"  # with one driver for all nodes
DEPLOYMENT = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: NAME, namespace: serving}
spec:
  selector: {matchLabels: {app: NAME}}
  template:
    metadata: {labels: {app: NAME}}
    spec: {containers: [{name: NAME, image: "IMAGE"}]}
"""
JOB = """
apiVersion: batch/v1
kind: Job
metadata: {name: trainer, namespace: research}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: trainer, image: "contoso.azurecr.io/trainer:1.0"}]}}}
"""
MANAGED_CLUSTER = """
apiVersion: containerservice.azure.com/v1api20250801
kind: ManagedCluster
metadata: {name: prod-swc, namespace: fleet}
spec: {location: swedencentral, owner: {name: gpu}, MORE}
"""


class World(NamedTuple):
    """A fleet with the fault, and the objects that are beside the ones built from it: workloads and the AKS cluster."""

    fleet: str
    beside: str = ""
    runs: bool = False  # the node classes have the status that Karpenter writes


def deployment(name: str, image: str = "contoso.azurecr.io/app:1.0") -> str:
    return DEPLOYMENT.replace("NAME", name).replace("IMAGE", image)


def managed_cluster(more: str, location: str = "swedencentral") -> str:
    return MANAGED_CLUSTER.replace("MORE", more).replace("swedencentral", location)


def bad(code: str) -> str:
    return FLEET[code].bad


def on_node_pools(code: str) -> str:
    """The bad example of a rule, on a cluster with AKS node pools."""
    return NODE_POOLS + re.sub(r"limits: \{gpus: \d+\}", "nodes: {min: 1, max: 2}", bad(code))


def on_cluster(stack: str, text: str) -> str:
    return CLUSTER.replace("STACK", stack) + text


SYSTEMS = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: a100}
spec: {clusters: [prod-swc], sku: Standard_NC24ads_A100_v4, driver: operator, limits: {gpus: 4}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: h100}
spec:
  clusters: [prod-swc]
  sku: Standard_NC40ads_H100_v5
  driver: operator
  image: {family: Ubuntu2204}
  limits: {gpus: 4}
"""
MIXED = (
    on_node_pools("PRT010")
    .replace("{profiles: {7g.80gb: 1}}", "{strategy: mixed, profiles: {3g.40gb: 2}}")
    .replace("  gpus: 2\n", "  gpus: 2\n  mig: 3g.40gb\n")
)
CALICO = "nodeProvisioningProfile: {mode: Auto}, networkProfile: {networkPolicy: calico}"
SCALING = "  scaling: {target: 70, max: 2}\n"
# Where the bad example of the fleet rule, as it is, builds no object that shows the fault.
CHANGED = {
    "AMD005": World(bad("AMD005"), deployment("chat", "nvidia/cuda:13.0.1-runtime-ubuntu24.04")),
    "AUT004": World(FLEET["AUT004"].bad_examples[2], deployment("chat").replace("serving", "kube-system")),
    "CLU001": World(bad("CLU001"), managed_cluster("", "swedencentrl")),
    "CLU003": World(bad("CLU003"), managed_cluster('kubernetesVersion: "1.32"')),
    "DIS009": World(bad("DIS009"), JOB),
    "DIS010": World(bad("DIS010"), JOB),
    "DRA003": World(bad("DRA003"), deployment("ranker")),
    "DRV001": World(on_node_pools("DRV001")),
    "DRV002": World(on_cluster(OLDER_OPERATOR, bad("DRV002"))),
    "DRV004": World(on_cluster("{allocation: dra, nodeSelection: pools}", bad("DRV004"))),
    "DRV009": World(on_cluster(OLDER_OPERATOR, SYSTEMS)),
    "DRV014": World(bad("DRV014"), runs=True),
    "DRV015": World(bad("DRV015"), runs=True),
    "DRV080": World(on_node_pools("DRV080")),
    "DSK001": World(on_node_pools("DSK001")),
    "NET001": World(
        bad("NET001"), managed_cluster("nodeProvisioningProfile: {mode: Auto}, networkProfile: {networkPolicy: calico}")
    ),
    "PRT010": World(MIXED, deployment("ranker")),
    "SCH009": World(bad("SCH009"), JOB),
    "SCH022": World(on_node_pools("SCH022")),
    "SCL008": World(bad("SCL008"), deployment("ranker")),
    "SCL010": World(
        on_cluster(
            METRICS, bad("SCL010").replace("name: ranker}\n", "name: ranker}\n  scaling: {target: 70, max: 2}\n")
        )
    ),
    "SKU009": World(bad("SKU009") + "  driver: none\n"),
}
# Where nothing that is built can show it, and why.
NOT_SHOWN = {
    "AGP027": "Azure Service Operator has no field for autoscaled sizes, so no object is emitted for such a pool",
    "AGP009": "the contract of a node pool reports such a name first (CNF001)",
    "AGP025": "gitgpu writes no ManagedCluster, which says whether node auto-provisioning is on",
    "AGP013": "Azure Service Operator has no field for managed GPUs, so no object is emitted for such a pool",
    "AUT003": "a built node pool names its cluster by resource ID, so its SKU is not known",
    "DIS015": "gitgpu leaves consolidation out of a NodePool with replicas",
    "KTO008": "gitgpu writes the kinds that the add-on has",
    "KTO011": "AKS runs the KEDA of the add-on, which is in no file",
    "MET001": "a fleet with a counter that the catalog does not have cannot be built",
    "PRT005": "gitgpu sets no label for a layout that nothing applies",
    "RDM002": "gitgpu writes one of the two device plugins",
    "SCH024": "the schema of the spec allows what new GPUs accept, and a ConfigMap does not name its GPUs",
    "SKU006": "a built node pool names its cluster by resource ID, so its region is not known",
    "SKU013": "gitgpu lists the sizes by name, which the object rule takes as intended",
    "WIN005": "a built node pool names its cluster by resource ID, so its network is not known",
}


def built(world: World) -> Iterator[Given]:
    """The objects that are built from a fleet, with the workloads that its patches change."""
    inputs = inputs_of(world.fleet)
    for cluster in inputs.clusters:
        decided = plan(inputs, cluster)
        manifests = apply_patches(emit(decided, emitters()), decided).manifests
        own = norms(Schemas(), inputs.catalog)
        minor = own.contracts.clamp(cluster.kubernetes)
        beside = [item_of(each, minor, own)[0] for each in read(world.beside)]
        patches = [(as_given(each), namespace_of(each)) for each in manifests if each.role is Role.PATCH]
        yield from (item.given for item in apply_overlays(patches, beside)[0])
        for manifest in manifests:
            if manifest.role is Role.RESOURCE:
                yield _running(manifest, cluster.kubernetes) if world.runs else as_given(manifest)


def _running(manifest: Manifest, kubernetes: str) -> Given:
    made = as_given(manifest)
    status = {"status": {"kubernetesVersion": f"{kubernetes}.0"}} if manifest.body["kind"] == "AKSNodeClass" else {}
    return made._replace(body={**made.body, **status})


@cache
def codes(world: World) -> frozenset[str]:
    """The codes of all findings about the objects of the cluster."""
    inputs = inputs_of(world.fleet)
    (kubernetes,) = {cluster.kubernetes for cluster in inputs.clusters}
    strict = norms(Schemas(), inputs.catalog, day(world.fleet))
    if all(cluster.is_automatic for cluster in inputs.clusters):
        strict = replace(strict, safeguards=Safeguards())
    return frozenset(finding.code for finding in object_findings(built(world), kubernetes, strict))


def twin_of(rule: AnyRule) -> AnyRule:
    return OBJECTS[rule.twin]


def shows(rule: AnyRule, world: World) -> bool:
    """Whether a fleet breaks the rule, and what is built from it breaks its twin."""
    return bool(findings_in(rule, world.fleet)) and rule.twin in codes(world)


@pytest.mark.parametrize("rule", TWINS, ids=lambda rule: rule.code)
def test_what_is_built_from_the_bad_example_breaks_the_twin(rule: AnyRule) -> None:
    if rule.code in CHANGED:
        assert shows(rule, CHANGED[rule.code])
    elif rule.code != "MET001":
        assert any(shows(rule, World(text)) for text in rule.bad_examples) is not (rule.code in NOT_SHOWN)


def test_twins_name_each_other_and_have_one_name() -> None:
    for rule in TWINS:
        twin = twin_of(rule)
        assert (twin.twin, twin.name) == (rule.code, rule.name)
    assert len(TWINS) == sum(bool(rule.twin) for rule in OBJECTS.values())
    assert len(TWINS) > 100


def test_rules_with_one_name_are_twins() -> None:
    names = {rule.name for rule in FLEET.values()} & {rule.name for rule in OBJECTS.values()}
    assert names == {rule.name for rule in TWINS}


def test_the_page_of_a_rule_names_its_twin() -> None:
    for rule in (*TWINS, *map(twin_of, TWINS)):
        sentence = f"{rule.twin} reports the same:"
        assert sentence in page(rule, "")
        assert sentence in markdown(rule)
        assert facts(rule, "")["twin"] == rule.twin
