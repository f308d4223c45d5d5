"""The documents of an imported fleet: each step of adoption, with tables of cases."""

from typing import Any

from gitgpu.adopt.adoption import ClusterDocument, Destination, Fate, GpuNodes, Outcome, SpecDocument
from gitgpu.adopt.clusters import (
    ClusterOptions,
    cluster_document,
    cluster_name,
    distinct_clusters,
    fleet_document,
    with_delivery,
)
from gitgpu.adopt.delivering_clusters import without_delivering
from gitgpu.adopt.destinations import Destinations
from gitgpu.adopt.field_outcomes import own_annotations, own_labels
from gitgpu.adopt.node.node_objects import Nodes
from gitgpu.adopt.node.node_requirements import zones_of
from gitgpu.adopt.node.provisioner import own_provisioner, with_distinct_names, with_provisioner
from gitgpu.adopt.overwritten import overwritten_values
from gitgpu.adopt.pool_defaults import with_pool_defaults
from gitgpu.adopt.readable_spec import plain_duration
from gitgpu.adopt.unique_outcomes import distinct
from gitgpu.adopt.valid_spec import sound, sound_cluster
from gitgpu.inventory.observed import Azure, Observed, ObservedCluster, Owner
from gitgpu.load.spec.shape import Document
from gitgpu.model.syntax.requirement import requirement
from gitgpu.source import Pointer, SourceMap, Span
from tests.adopt.clusters import observed
from tests.adopt.test_recorded_imports import CATALOG
from tests.helping.cases import for_each

ID = "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/g/providers/Microsoft.ContainerService"
SUBNET = "/subscriptions/1/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/v/subnets/gpu"


def agents(name: str = "gpu", notes: Any = None, **spec: Any) -> Observed:
    """An AKS node pool."""
    meta = {"name": name, "annotations": notes} if notes else {"name": name}
    kind, version = "ManagedClustersAgentPool", "containerservice.azure.com/v1api20250801"
    return observed({"apiVersion": version, "kind": kind, "metadata": meta, "spec": spec})


def node_class(**spec: Any) -> Observed:
    """An AKSNodeClass."""
    version, meta = "karpenter.azure.com/v1beta1", {"name": "gpu"}
    return observed({"apiVersion": version, "kind": "AKSNodeClass", "metadata": meta, "spec": spec})


def foreign(node: Observed) -> Observed:
    """The same object in an API group of other software."""
    return node._replace(body={**node.body, "apiVersion": "example.com/v1"})


def nodepool(name: str = "gpu", labels: Any = None, **annotations: str) -> Observed:
    """A NodePool."""
    meta = {"name": name, "labels": labels or {}, "annotations": annotations}
    return observed({"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": meta, "spec": {}})


def cluster(*objects: Observed, name: str = "lab", **azure: Any) -> ObservedCluster:
    """A cluster with objects."""
    return ObservedCluster(name, Azure(**azure), objects)


def keys_of(seen: ObservedCluster, wanted: ClusterOptions) -> dict[str, Any]:
    """The keys of a Cluster, without its region and version."""
    document, _ = cluster_document(seen, wanted, CATALOG)
    return {key: value for key, value in document.spec.items() if key not in ("region", "kubernetesVersion")}


@for_each(
    ("seen", "keys"),
    [
        (cluster(), {}),
        (cluster(nodepool()), {}),
        (cluster(agents()), {"provisioner": "cluster-autoscaler"}),
        (cluster(agents(), nodepool()), {}),
        (cluster(agents(), provisioner="nap"), {}),
        (cluster(nodepool(), provisioner="cluster-autoscaler"), {"provisioner": "cluster-autoscaler"}),
        (cluster(agents(owner={"armId": f"{ID}/managedClusters/a"}), resource_id="own"),
         {"provisioner": "cluster-autoscaler", "resourceId": "own"}),
        (cluster(agents(owner={"name": "a"}), agents("b", owner={"armId": f"{ID}/managedClusters/a"})),
         {"provisioner": "cluster-autoscaler", "resourceId": f"{ID}/managedClusters/a"}),
        (cluster(network={"plugin": "azure", "subnet": "x"}), {"network": {"plugin": "azure"}}),
        (cluster(network={"subnet": "x"}), {}),
        (cluster(agents(vnetSubnetReference={"armId": SUBNET}), agents("b", vnetSubnetID=SUBNET), provisioner="nap"),
         {"network": {"subnet": SUBNET}}),
        (cluster(agents(vnetSubnetReference={"armId": SUBNET}), agents("b"), provisioner="nap"), {}),
        (cluster(agents(), agents("b"), provisioner="nap"), {}),
        (cluster(nodepool(), node_class(vnetSubnetID=SUBNET)), {"network": {"subnet": SUBNET}}),
        (cluster(nodepool(), node_class(vnetSubnetID=SUBNET), node_class()), {}),
        (cluster(nodepool(), foreign(node_class(vnetSubnetID=SUBNET))), {}),
    ],
)  # fmt: skip
def test_the_keys_of_a_cluster(seen: ObservedCluster, keys: dict[str, Any]) -> None:
    assert keys_of(seen, ClusterOptions()) == keys


@for_each(
    ("seen", "wanted", "region", "version", "reasons"),
    [
        (cluster(region="eastus", kubernetes="v1.35"), ClusterOptions(), "eastus", "1.35", []),
        (cluster(region="eastus", kubernetes="1.35"), ClusterOptions(region="westus"), "eastus", "1.35", []),
        (cluster(kubernetes="1.35"), ClusterOptions(region="westus"), "westus", "1.35", []),
        (cluster(kubernetes="1.35"), ClusterOptions(), "swedencentral", "1.35",
         ["the input does not contain the region: set it, or pass --region"]),
        (cluster(agents(orchestratorVersion="1.9.2"), agents("b", orchestratorVersion="1.33.4"), region="eastus"),
         ClusterOptions(), "eastus", "1.33", ["its newest node pool runs 1.33, but the cluster may be newer"]),
        (cluster(name="", region="eastus", kubernetes="1.35"), ClusterOptions(), "eastus", "1.35",
         ["the input does not contain the name of the cluster: set it, or pass --cluster"]),
        (cluster(name="My_Cluster", region="eastus", kubernetes="1.35"), ClusterOptions(), "eastus", "1.35",
         ["names in the fleet must be DNS labels: the cluster is named My_Cluster"]),
        (cluster(name="", region="eastus", kubernetes="1.35"), ClusterOptions("prod"), "eastus", "1.35", []),
    ],
)  # fmt: skip
def test_facts_about_a_cluster_that_are_in_no_document(
    seen: ObservedCluster, wanted: ClusterOptions, region: str, version: str, reasons: list[str]
) -> None:
    document, inferred = cluster_document(seen, wanted, CATALOG)
    assert (document.spec["region"], document.spec["kubernetesVersion"]) == (region, version)
    assert [each.reason for each in inferred] == reasons
    subjects = {"region": ("spec", "region"), "node pool": ("spec", "kubernetesVersion"), "name": ("metadata", "name")}
    for each in inferred:
        assert each.key == next(key for subject, key in subjects.items() if subject in each.reason)


def test_a_cluster_of_unknown_version() -> None:
    document, inferred = cluster_document(cluster(region="eastus"), ClusterOptions(), CATALOG)
    row = CATALOG.must("kubernetes", document.spec["kubernetesVersion"])
    assert row["keda"]
    assert row["aks"]["status"] == "ga"
    assert [each.reason for each in inferred] == [
        "the input does not contain the Kubernetes version: set the version of the cluster, or pass --kubernetes"
    ]


@for_each(
    ("name", "wanted", "label"),
    [("prod", "", "prod"), ("Prod_1", "", "prod-1"), ("https://prod-dns.hcp.eastus.azmk8s.io:443", "", None),
     ("", "other", "other"), ("", "", "cluster"), ("___", "", "cluster")],
)  # fmt: skip
def test_the_name_of_a_cluster(name: str, wanted: str, label: str | None) -> None:
    label_of = cluster_name(cluster(name=name), ClusterOptions(wanted))
    assert label_of == (label if label is not None else "prod-dns-hcp-eastus-azmk8s-io") or label_of.startswith(
        "prod-dns"
    )


def test_clusters_with_one_label_get_numbers() -> None:
    clusters, notes = distinct_clusters(map(named, ("Prod", "prod", "PROD", "prod-2", "dev", "Dev_")), ClusterOptions())
    names = [cluster_name(seen, ClusterOptions()) for seen in clusters]
    assert len(set(names)) == len(names)
    assert [seen.name for seen in clusters] == ["prod-3", "prod", "prod-4", "prod-2", "dev", "dev-2"]
    assert [note.document for note in notes] == [("Cluster", "prod-3"), ("Cluster", "prod-4"), ("Cluster", "dev-2")]
    assert notes[0].reason == "the cluster is named Prod, but another cluster has the name prod"


def named(name: str) -> ObservedCluster:
    """A cluster of a name."""
    return cluster(name=name)


FLUX, ARGO = {"kustomize.toolkit.fluxcd.io/prune": "disabled"}, {"argocd.argoproj.io/sync-options": "Prune=false"}
PART = {"app.kubernetes.io/part-of": "gpus"}


@for_each(
    ("clusters", "name", "engines"),
    [
        ([cluster(nodepool(**FLUX))], "fleet", ["flux"]),
        ([cluster(nodepool(**ARGO))], "fleet", ["argocd"]),
        ([cluster(nodepool(**ARGO)), cluster(nodepool())], "fleet", ["argocd", "flux"]),
        ([cluster(nodepool(**ARGO)), cluster(nodepool(**FLUX))], "fleet", ["argocd", "flux"]),
        ([cluster(nodepool(**FLUX)), cluster(nodepool(**ARGO))], "fleet", ["flux", "argocd"]),
        ([cluster(nodepool()._replace(owner=Owner("argocd", "a")))], "fleet", ["argocd"]),
        ([cluster(nodepool()._replace(owner=Owner("helm", "a")))], "fleet", ["flux"]),
        ([cluster(agents(notes=ARGO))], "fleet", ["argocd"]),
        ([cluster(nodepool("a", PART), nodepool("b", PART))], "gpus", ["flux"]),
        (
            [cluster(nodepool("a", PART)), cluster(nodepool("b", {"app.kubernetes.io/part-of": "x"}))],
            "fleet",
            ["flux", "flux"],
        ),
        ([], "fleet", []),
    ],
)
def test_the_name_and_the_engine_of_a_fleet(clusters: list[ObservedCluster], name: str, engines: list[str]) -> None:
    """The Fleet always has the default, so that it does not matter which cluster is imported first."""
    document, [inferred] = fleet_document(clusters)
    assert (document.name, document.spec["delivery"]["engine"]) == (name, "flux")
    assert (inferred.document, inferred.key) == (("Fleet", name), ("spec", "delivery", "repository"))
    own = [with_delivery(SpecDocument("Cluster", "c", {}), seen, document) for seen in clusters]
    assert [cluster.spec.get("delivery", {"engine": "flux"})["engine"] for cluster in own] == engines


def test_the_repository_of_a_fleet() -> None:
    def source(url: str, kind: str = "GitRepository") -> Observed:
        meta = {"name": "a", "namespace": "a"}
        return observed({"apiVersion": "a/v1", "kind": kind, "metadata": meta, "spec": {"url": url}})

    bad, other, good = source("http://a/b"), source("https://x/y", "HelmRepository"), source("ssh://git@a/b")
    document, inferred = fleet_document([cluster(bad, other, good)])
    assert (document.spec["delivery"]["repository"], inferred) == ("ssh://git@a/b", [])


def test_a_cluster_with_another_engine() -> None:
    fleet = SpecDocument("Fleet", "f", {"delivery": {"engine": "flux"}})
    document = SpecDocument("Cluster", "lab", {"region": "a"})
    assert with_delivery(document, cluster(nodepool(**FLUX)), fleet) == document
    assert with_delivery(document, cluster(nodepool()), fleet) == document
    assert with_delivery(document, cluster(nodepool(**ARGO)), fleet).spec == {
        "region": "a",
        "delivery": {"engine": "argocd"},
    }
    other = SpecDocument("Fleet", "f", {"delivery": {"engine": "argocd"}})
    for seen in (nodepool(**FLUX), nodepool()._replace(owner=Owner("flux", "a"))):
        assert with_delivery(document, cluster(seen), other).spec == {"region": "a", "delivery": {"engine": "flux"}}


@for_each(
    ("version", "kind", "delivers"),
    [
        ("argoproj.io/v1alpha1", "Application", True),
        ("kustomize.toolkit.fluxcd.io/v1", "Kustomization", True),
        ("source.toolkit.fluxcd.io/v1", "GitRepository", True),
        ("v1", "Secret", False),
    ],
)
def test_a_cluster_that_only_delivers_to_others_is_not_in_the_fleet(version: str, kind: str, delivers: bool) -> None:
    hub = cluster(observed({"apiVersion": version, "kind": kind, "metadata": {"name": "a"}}), name="hub")
    kept, left = without_delivering([hub, cluster(nodepool())])
    assert [seen.name for seen in kept] == (["lab"] if delivers else ["hub", "lab"])
    assert [each.fate for each in left] == [Fate.LEFT] * delivers
    assert without_delivering([hub]) == ([hub], [])


def nodes(*sorts: str) -> Nodes:
    """Pools of both provisioners: k is a NodePool, a an AKS node pool."""
    made = [nodepool(str(at)) if sort == "k" else agents(str(at)) for at, sort in enumerate(sorts)]
    gpu_nodes = tuple(GpuNodes(each.body["metadata"]["name"], each, None, ()) for each in made)
    return Nodes(gpu_nodes, {}, {}, ())


@for_each(
    ("sorts", "is_nap", "provisioner"),
    [("", False, "given"), ("k", False, "nap"), ("a", False, "cluster-autoscaler"), ("ka", False, "nap"),
     ("kaa", False, "nap"), ("kaa", True, "nap"), ("a", True, "nap")],
)  # fmt: skip
def test_the_default_provisioner_of_a_cluster(sorts: str, is_nap: bool, provisioner: str) -> None:
    given = SpecDocument("Cluster", "c", {"region": "r", "kubernetesVersion": "1", "provisioner": "given", "x": 1})
    made = with_provisioner(given, nodes(*sorts), is_nap)
    assert made.spec.get("provisioner", "nap") == provisioner
    assert {key: made.spec[key] for key in ("region", "kubernetesVersion", "x")} == {
        "region": "r", "kubernetesVersion": "1", "x": 1,
    }  # fmt: skip
    if provisioner == "cluster-autoscaler":
        assert list(made.spec) == ["region", "kubernetesVersion", "provisioner", "x"]


@for_each(
    ("default", "scaled", "own"),
    [("nap", True, "cluster-autoscaler"), ("nap", False, "fixed"), ("cluster-autoscaler", True, None),
     ("cluster-autoscaler", False, None)],
)  # fmt: skip
def test_a_node_pool_has_its_own_provisioner_if_that_of_the_cluster_is_another(
    default: str, scaled: bool, own: str | None
) -> None:
    of = SpecDocument("Cluster", "c", {"provisioner": default})
    node_pool = observed({**agents().body, "spec": {"enableAutoScaling": scaled}})
    assert own_provisioner(GpuNodes("a", node_pool, None, ()), of).get("provisioner") == own
    assert own_provisioner(GpuNodes("k", nodepool(), None, ()), of) == {}


def test_of_two_pools_with_one_name_the_nodepool_is_adopted() -> None:
    pools = nodes("k", "a")
    same = pools._replace(gpu=(pools.gpu[0], pools.gpu[1]._replace(name="0")))
    kept, left = with_distinct_names(same)
    assert [each.by_karpenter for each in kept.gpu] == [True]
    assert [(each.observed, each.fate) for each in left] == [(pools.gpu[1].observed, Fate.INEXPRESSIBLE)]
    assert with_distinct_names(pools) == (pools, [])


DEFAULTS = {"image": {"family": "x"}, "maxPods": 30}
DOCUMENTS = [
    ClusterDocument("", SpecDocument("Fleet", "f", {})),
    ClusterDocument("a", SpecDocument("Cluster", "a", {"region": "r", "network": {"subnet": "s"}, "pool": DEFAULTS})),
    ClusterDocument("a", SpecDocument("GpuPool", "gpu", {"sku": "S", "disruption": {"budgets": [1]}})),
    ClusterDocument("b", SpecDocument("Cluster", "b", {"region": "r"})),
    ClusterDocument("b", SpecDocument("GpuPool", "gpu", {"sku": "S", "maxPods": 50})),
]


@for_each(
    ("key", "of", "into"),
    [
        (("metadata", "name"), "a", ("GpuPool", "gpu", ("metadata", "name"))),
        (("metadata", "labels", "x"), "a", ("GpuPool", "gpu", ("metadata",))),
        (("spec", "region"), "a", ("Cluster", "a", ("spec", "region"))),
        (("spec", "network", "subnet"), "a", ("Cluster", "a", ("spec", "network", "subnet"))),
        (("spec", "sku"), "a", ("GpuPool", "gpu", ("spec", "sku"))),
        (("spec", "sku", "x"), "a", ("GpuPool", "gpu", ("spec", "sku"))),
        (("spec", "disruption", "budgets", 0), "a", ("GpuPool", "gpu", ("spec", "disruption", "budgets", 0))),
        (("spec", "disruption", "budgets", 1), "a", ("GpuPool", "gpu", ("spec", "disruption", "budgets"))),
        (("spec", "disruption", "budgets", "x"), "a", ("GpuPool", "gpu", ("spec", "disruption", "budgets"))),
        (("spec", "maxPods"), "a", ("Cluster", "a", ("spec", "pool", "maxPods"))),
        (("spec", "maxPods"), "b", ("GpuPool", "gpu", ("spec", "maxPods"))),
        (("spec", "taints"), "a", None),
        (("spec", "image", "family"), "a", ("Cluster", "a", ("spec", "pool", "image", "family"))),
        (("spec", "image", "family"), "b", None),
        (("spec", "subnet"), "a", ("Cluster", "a", ("spec", "network", "subnet"))),
        (("spec", "subnet"), "b", None),
        (("spec",), "a", None),
        (None, "a", None),
    ],
)  # fmt: skip
def test_where_a_key_of_a_pool_is_written(key: Pointer | None, of: str, into: Any) -> None:
    outcome = Outcome(agents(), Fate.ADOPTED)
    destined = Destinations(DOCUMENTS).of(outcome, key, of, "gpu")
    if into:
        where = Destination(*into)._replace(cluster="" if into[0] == "Cluster" else of)
        assert (destined.into, destined.reason) == (where, "")
    else:
        assert destined.into == Destination("GpuPool", "gpu", (), of)
        assert destined.reason == "written by gitgpu itself"
    assert Destinations(DOCUMENTS).of(outcome._replace(reason="own"), None, of, "gpu").reason == "own"


def test_keys_of_objects_that_are_not_adopted_have_no_place() -> None:
    left = Outcome(agents(), Fate.LEFT)
    assert Destinations(DOCUMENTS).of(left, ("spec", "sku"), "a", "gpu") == left
    adopted = Outcome(agents(), Fate.ADOPTED)
    assert Destinations(DOCUMENTS).of(adopted, ("spec", "sku"), "a", "other") == adopted


def test_one_outcome_for_each_field() -> None:
    body, other = agents(), agents()
    every = [
        Outcome(body, Fate.ADOPTED, "a", ("spec", "x")),
        Outcome(body, Fate.ADOPTED, "b", ("spec", "x", "y")),
        Outcome(body, Fate.ADOPTED, "c", ("spec",)),
        Outcome(body, Fate.INFERRED, "d", ("spec", "x")),
        Outcome(body, Fate.ADOPTED, "e", ("spec", "z")),
        Outcome(body, Fate.INEXPRESSIBLE, "f", ("spec", "z")),
        Outcome(other, Fate.ADOPTED, "g", ("spec", "x")),
        Outcome(other, Fate.WRONG, "h"),
    ]
    assert [each.reason for each in distinct(every)] == ["a", "d", "f", "h"]


@for_each(
    ("pools", "defaults", "rest"),
    [
        ([{"maxPods": 60}], None, [{"maxPods": 60}]),
        ([{"maxPods": 60}] * 2, {"maxPods": 60}, [{}] * 2),
        ([{"maxPods": 60}] * 2 + [{"maxPods": 50}], None, [{"maxPods": 60}] * 2 + [{"maxPods": 50}]),
        ([{"maxPods": 60}] * 2 + [{}], None, [{"maxPods": 60}] * 2 + [{}]),
        ([{"image": {"family": "a", "fips": True}}, {"image": {"family": "a", "osDiskGB": 5}}],
         {"image": {"family": "a"}}, [{"image": {"fips": True}}, {"image": {"osDiskGB": 5}}]),
        ([{"image": {"family": "a"}}, {"image": {}}], None, [{"image": {"family": "a"}}, {"image": {}}]),
        ([{"sku": "x"}] * 2, None, [{"sku": "x"}] * 2),
        ([{"kubelet": {}, "maxPods": 60}] * 2, {"maxPods": 60, "kubelet": {}}, [{}] * 2),
        ([{"tags": {"a": "b"}, "labels": {"a": "b"}, "taints": [], "startupTaints": []}] * 2, None,
         [{"tags": {"a": "b"}, "labels": {"a": "b"}, "taints": [], "startupTaints": []}] * 2),
        ([{"disruption": {"expireAfter": "1h", "consolidateAfter": "2h"}}] * 2,
         {"disruption": {"consolidateAfter": "2h"}}, [{"disruption": {"expireAfter": "1h"}}] * 2),
        ([{"disruption": {"expireAfter": "1h"}}] * 2, None, [{"disruption": {"expireAfter": "1h"}}] * 2),
    ],
)  # fmt: skip
def test_what_all_pools_of_a_cluster_have(pools: list[dict[str, Any]], defaults: Any, rest: list[Any]) -> None:
    lab = SpecDocument("Cluster", "lab", {"region": "r"})
    documents = [SpecDocument("GpuPool", str(at), {"clusters": ["lab"], **spec}) for at, spec in enumerate(pools)]
    changed, *others = with_pool_defaults(lab, documents)
    assert changed.spec == {"region": "r", **({"pool": defaults} if defaults else {})}
    assert [dict(each.spec) for each in others] == [{"clusters": ["lab"], **spec} for spec in rest]


def document(kind: str, spec: Any, name: str = "a", namespace: str = "") -> Document:
    """A document of a fleet."""
    meta = {"name": name, "namespace": namespace} if namespace else {"name": name}
    places = SourceMap.of(Span(f"{name}.yaml", 1, 1))
    return Document(kind, {"kind": kind, "metadata": meta, "spec": spec}, places, name, sound=True)


@for_each(
    ("before", "after", "effects"),
    [
        ([document("GpuPool", {"a": 1})], [], ["GpuPool a: --force removes the document"]),
        ([document("GpuPool", {"a": 1})], [document("GpuPool", {"a": 1, "b": 2})], []),
        ([document("GpuPool", {"a": 1})], [document("GpuPool", {"a": 2})],
         ["GpuPool a: --force replaces spec.a 1 with 2"]),
        ([document("GpuPool", {"a": [1]})], [document("GpuPool", {"a": 2})],
         ["GpuPool a: --force replaces spec.a"]),
        ([document("GpuPool", {"a": 1})], [document("GpuPool", {"a": {"b": 1}})],
         ["GpuPool a: --force replaces spec.a"]),
        ([document("GpuPool", {"a": {"b": 1, "c": 2}})], [document("GpuPool", {"a": {"b": 1}})],
         ["GpuPool a: --force removes spec.a.c"]),
        ([document("GpuPool", {"a": {"b": 1}})], [document("GpuPool", {})], ["GpuPool a: --force removes spec.a"]),
        ([document("GpuPool", {"a": {}, "b": []})], [document("GpuPool", {})], []),
        ([document("GpuPool", {"a": 1})], [document("GpuPool", {}),
         document("Fleet", {"defaults": {"pool": {"a": 1}}}, "f")], []),
        ([document("GpuPool", {}), document("Fleet", {"defaults": {"pool": {"a": 1}}}, "f")],
         [document("GpuPool", {}), document("Fleet", {}, "g")],
         ["GpuPool a: --force removes spec.a", 'Fleet f: --force replaces metadata.name "f" with "g"']),
        ([document("Cluster", {"stack": {"a": 1}})],
         [document("Cluster", {}), document("Fleet", {"defaults": {"stack": {"a": 1}}}, "f")], []),
        ([document("Cluster", {}), document("Fleet", {"defaults": {"stack": {"a": 1}}}, "f")],
         [document("Cluster", {"stack": {"b": 1}}), document("Fleet", {}, "f")],
         ["Cluster a: --force removes spec.stack.a"]),
        ([document("GpuWorkload", {"a": 1}, "w", "n")], [document("GpuWorkload", {"a": 1}, "w", "m")],
         ["GpuWorkload w: --force removes the document"]),
        ([document("GpuPool", None)], [document("GpuPool", {"a": 1})], ["GpuPool a: --force replaces spec"]),
    ],
)  # fmt: skip
def test_what_force_overwrites(before: list[Document], after: list[Document], effects: list[str]) -> None:
    diagnostics = list(overwritten_values(before, after))
    assert [each.message for each in diagnostics] == effects
    assert {each.code for each in diagnostics} <= {"IMP011"}


def test_keys_that_the_schema_rejects_are_omitted() -> None:
    spec = {"clusters": ["a"], "sku": "Standard_NC24ads_A100_v4", "limits": {"gpus": 1}}
    good = SpecDocument("GpuPool", "gpu", spec)
    assert sound(good) == (good, "")
    odd = {**spec, "unheard": 1, "maxPods": "many", "taints": [{"key": "k", "effect": "NoSchedule"}, {"key": 5}]}
    kept, why = sound(SpecDocument("GpuPool", "gpu", odd, labels={"a": "b", "-": "x"}, annotations={"": "x"}))
    assert why == ""
    assert kept.spec == {**spec, "taints": [{"key": "k", "effect": "NoSchedule"}]}
    assert (kept.labels, kept.annotations) == ({"a": "b"}, {}) or kept.labels == {}
    taint = {"key": "k", "effect": "NoSchedule"}
    several = sound(good._replace(spec={**spec, "taints": [5, 6, taint, 7, 8]}))
    assert several == (good._replace(spec={**spec, "taints": [taint]}), "")
    sizeless = SpecDocument("GpuPool", "gpu", {"clusters": ["a"], "maxPods": "many"})
    kept, why = sound(sizeless)
    assert (kept, why.partition(":")[0]) == (sizeless, "spec")
    unnamed, why = sound(SpecDocument("GpuPool", "no.name", spec))
    assert (unnamed.spec, why != "") == (spec, True)


def test_omitted_keys_of_a_cluster_are_reported() -> None:
    spec = {"region": "swedencentral", "kubernetesVersion": "1.35", "resourceId": "<redacted>"}
    kept, left = sound_cluster(SpecDocument("Cluster", "lab", spec))
    assert "resourceId" not in kept.spec
    assert [(each.document, each.key) for each in left] == [(("Cluster", "lab"), ("spec", "resourceId"))]
    assert left[0].reason.startswith("omitted from the fleet: ")
    del spec["resourceId"]
    assert sound_cluster(SpecDocument("Cluster", "lab", spec))[1] == []


def test_labels_and_annotations_of_the_owner() -> None:
    kept = {"team": "a", "number": 5, "helm.sh/chart": "x", "gitgpu.dev/x": "y", "karpenter.sh/z": "1"}
    body = {"metadata": {"labels": kept, "annotations": {"note": True, "meta.helm.sh/release-name": "r"}}}
    assert own_labels(body) == {"team": "a", "number": "5"}
    assert own_annotations(body) == {"note": "True"}
    assert own_labels({"metadata": {"labels": None}}) == {}
    assert own_labels({}) == {}


@for_each(
    ("text", "plain"),
    [("30m0s", "30m"), ("720h", "720h"), ("90s", "1m30s"), ("0s", "0s"), ("0h", "0s"), ("1h0m5s", "1h5s"),
     ("1.5s", "1.5s"), ("500ms", "500ms"), ("Never", "Never"), ("3600s", "1h")],
)  # fmt: skip
def test_durations_are_written_in_the_usual_form(text: str, plain: str) -> None:
    assert plain_duration(text) == plain


def test_zones_are_numbers_of_one_region() -> None:
    key = "topology.kubernetes.io/zone"
    assert zones_of(requirement(key, "In", ["eastus-3", "eastus-1"]), "eastus") == ["1", "3"]
    assert zones_of(requirement(key, "In", ["eastus-1", "westus-1"]), "eastus") == []
    assert zones_of(requirement(key, "NotIn", ["eastus-1"]), "eastus") == []
    assert zones_of(None, "eastus") == []
