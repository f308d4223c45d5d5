"""The clusters in a repository: what Flux, Argo CD and Kustomize would apply, and to which cluster."""

from collections.abc import Mapping
from pathlib import Path

from gitgpu.adopt.reading.observing import observe_texts
from gitgpu.inventory.joined import ImportOptions
from gitgpu.inventory.observed import Inventory
from gitgpu.load.read import read_paths
from gitgpu.load.text import Text
from gitgpu.objects.manifest.manifests import read_manifests
from tests.helping.cases import for_each

ROOT = Path(__file__).parents[2]
POOL = "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: gpu}\nspec: {limits: {cpu: 10}}\n"
BLOCK = "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata:\n  name: gpu\n  uid: a\n  resourceVersion: '1'\n"
POD = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: chat}\n"
KUSTOMIZATION = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
FLUX = """apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: %s, namespace: flux-system}
spec:
  path: ./%s
  sourceRef: {kind: GitRepository, name: flux-system}
"""
SOURCE = """apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: flux-system, namespace: flux-system}
spec: {url: https://github.com/contoso/fleet, ref: {branch: main}}
"""


def observe(files: Mapping[str, str], asked: ImportOptions | None = None) -> Inventory:
    """The inventory of a directory with these files."""
    texts = [Text(name, content, name) for name, content in files.items()]
    named = frozenset[str]()
    return observe_texts(texts, (), asked or ImportOptions(named=named), lambda given: read_manifests(given, named))


def shown(inventory: Inventory) -> list[str]:
    """The objects as CLUSTER/NAME, with what applies each."""
    return [
        f"{cluster.name}/{each.name} {each.owner.name}".rstrip()
        for cluster in inventory.clusters
        for each in cluster.objects
    ]


def test_loose_files_are_one_cluster() -> None:
    assert shown(observe({"a.yaml": POOL, "b/c.yaml": POD})) == ["/Deployment/chat", "/NodePool/gpu"]


def test_folders_that_define_a_pool_twice_are_clusters() -> None:
    files = {"fleet/dev/pool.yaml": POOL, "fleet/prod/pool.yaml": POOL.replace("10", "20"), "fleet/prod/chat.yaml": POD}
    assert shown(observe(files)) == ["dev/NodePool/gpu", "prod/Deployment/chat", "prod/NodePool/gpu"]


def test_kustomizations_are_one_cluster_unless_they_define_a_pool_twice() -> None:
    files = {
        "nodes/kustomization.yaml": f"{KUSTOMIZATION}resources: [pool.yaml]\n",
        "nodes/pool.yaml": POOL,
        "apps/kustomization.yaml": f"{KUSTOMIZATION}namespace: serving\nresources: [chat.yaml]\n",
        "apps/chat.yaml": POD,
    }
    assert shown(observe(files)) == ["/Deployment/serving/chat", "/NodePool/gpu"]


def test_overlays_of_a_base_are_clusters() -> None:
    patch = "patches:\n- target: {kind: NodePool}\n  patch: |\n    - {op: replace, path: /spec/limits/cpu, value: 99}\n"
    files = {
        "base/kustomization.yaml": f"{KUSTOMIZATION}resources: [pool.yaml]\n",
        "base/pool.yaml": POOL,
        "overlays/dev/gpu/kustomization.yaml": f"{KUSTOMIZATION}resources: [../../../base]\n",
        "overlays/prod/gpu/kustomization.yaml": f"{KUSTOMIZATION}resources: [../../../base]\n{patch}",
    }
    inventory = observe(files)
    assert shown(inventory) == ["dev/NodePool/gpu", "prod/NodePool/gpu"]
    limits = [cluster.objects[0].body["spec"]["limits"]["cpu"] for cluster in inventory.clusters]
    assert limits == [10, 99]
    assert inventory.clusters[0].objects[0].places.span().file == "base/pool.yaml"


def test_files_beside_the_overlays_of_several_clusters() -> None:
    """A file belongs to the cluster whose name is in its path; otherwise its cluster is unknown."""
    files = {
        "clusters/dev/nodes/kustomization.yaml": f"{KUSTOMIZATION}resources: [pool.yaml]\n",
        "clusters/dev/nodes/pool.yaml": POOL,
        "clusters/prod/nodes/kustomization.yaml": f"{KUSTOMIZATION}resources: [pool.yaml]\n",
        "clusters/prod/nodes/pool.yaml": POOL.replace("10", "20"),
        "clusters/prod/apps/kustomization.yaml": f"{KUSTOMIZATION}resources: [chat.yaml]\n",
        "clusters/prod/apps/chat.yaml": POD,
        "shared/kustomization.yaml": f"{KUSTOMIZATION}resources: [other.yaml]\n",
        "shared/other.yaml": POD.replace("chat", "other"),
    }
    inventory = observe(files)
    assert shown(inventory) == ["dev/NodePool/gpu", "prod/Deployment/chat", "prod/NodePool/gpu"]
    assert [(each.name, each.reason) for each in inventory.skipped if "other" in each.name] == [
        ("Deployment/other", "nothing in these files applies it to any of the clusters dev, prod")
    ]


def test_steps_of_a_repository_do_not_contradict_each_other() -> None:
    """A second definition of an object is skipped; that of a pool is a finding."""
    other = POD + "spec: {replicas: 2}\n"
    files = {
        "clusters/dev/source.yaml": SOURCE,
        "clusters/dev/a.yaml": FLUX % ("a", "a"),
        "clusters/dev/b.yaml": FLUX % ("b", "b"),
        "a/chat.yaml": POD,
        "b/chat.yaml": other,
    }
    inventory = observe(files)
    assert inventory.faults == ()
    reasons = [each.reason for each in inventory.skipped if each.name == "Deployment/chat"]
    assert reasons == ["another definition of the object is read from a/chat.yaml:1:1"]
    pools = observe({**files, "a/pool.yaml": POOL, "b/pool.yaml": POOL.replace("10", "20")})
    assert [fault.code for fault in pools.faults] == ["IMP006"]


def test_each_flux_entry_point_is_a_cluster() -> None:
    files = {
        "clusters/dev/flux-system/source.yaml": SOURCE,
        "clusters/dev/nodes.yaml": FLUX % ("nodes", "nodes/dev"),
        "clusters/prod/flux-system/source.yaml": SOURCE,
        "clusters/prod/nodes.yaml": FLUX % ("nodes", "nodes/prod"),
        "nodes/dev/pool.yaml": POOL,
        "nodes/prod/pool.yaml": POOL.replace("10", "20"),
        "spare/pool.yaml": POOL.replace("gpu", "spare"),
        "extra/dev/kustomization.yaml": f"{KUSTOMIZATION}resources: [pool.yaml]\n",
        "extra/dev/pool.yaml": POOL.replace("gpu", "extra"),
    }
    inventory = observe(files)
    assert "dev/NodePool/extra" in shown(inventory)  # assigned by its folder
    assert "NodePool/extra" not in {each.name for each in inventory.skipped}
    pools = [line for line in shown(inventory) if "NodePool" in line]
    by = "Kustomization/flux-system/nodes"
    assert [line for line in pools if "extra" not in line] == [f"dev/NodePool/gpu {by}", f"prod/NodePool/gpu {by}"]
    reasons = [(each.name, each.reason) for each in inventory.skipped if "spare" in each.name]
    assert reasons == [("NodePool/spare", "nothing in these files applies it to any of the clusters dev, prod")]
    tools = [
        each.owner.tool for cluster in inventory.clusters for each in cluster.objects if each.name == "NodePool/gpu"
    ]
    assert tools == ["flux", "flux"]


def test_values_that_flux_fills_in() -> None:
    pool = POOL.replace("10", "'${cpus}'")
    flux = FLUX % ("nodes", "nodes")
    files = {"clusters/dev/source.yaml": SOURCE, "clusters/dev/nodes.yaml": flux, "nodes/pool.yaml": pool}
    filled = flux.replace("spec:\n", 'spec:\n  postBuild: {substitute: {cpus: "7"}}\n')
    known = observe({**files, "clusters/dev/nodes.yaml": filled})
    bodies = [each.body for each in known.clusters[0].objects if each.body["kind"] == "NodePool"]
    assert [body["spec"]["limits"]["cpu"] for body in bodies] == [7]
    unknown = observe(files)
    assert not any("NodePool" in line for line in shown(unknown))
    assert [each.reason for each in unknown.skipped if each.name == "NodePool/gpu"] == [
        "some of its values are known only when it is applied, or a patch deletes it"
    ]


def test_a_dump_beside_a_repository() -> None:
    """The live object is kept, and the repository shows what applies it."""
    dump = f"{BLOCK}spec:\n  limits:\n    cpu: '10'\n  weight: 1\n"
    files = {
        "clusters/dev/source.yaml": SOURCE,
        "clusters/dev/nodes.yaml": FLUX % ("nodes", "nodes"),
        "nodes/pool.yaml": POOL,
        "dump.yaml": dump,
    }
    (cluster,) = observe(files).clusters
    (pool,) = (each for each in cluster.objects if each.body["kind"] == "NodePool")
    assert (pool.live, pool.body["spec"]["weight"], pool.owner.tool) == (True, 1, "flux")


@for_each("content", ["{{ .Values.a }}\n", "a: [\n", '{"a": ', "a: 1\n"])
def test_other_files_of_a_repository_are_not_an_error(content: str) -> None:
    inventory = observe({"a.yaml": POOL, "b.yaml": content})
    assert shown(inventory) == ["/NodePool/gpu"]
    assert [fault for fault in inventory.faults if fault.severity == "error"] == []


def test_the_overlays_of_gitgpu() -> None:
    """Each folder is a cluster, with the Kubernetes version in its record."""
    texts, faults = read_paths([str(ROOT / "overlays")])
    assert faults == []
    named = frozenset[str]()
    inventory = observe_texts(texts, (), ImportOptions(named=named), lambda given: read_manifests(given, named))
    folders = sorted(path.name for path in (ROOT / "overlays").iterdir() if path.is_dir())
    assert [cluster.name for cluster in inventory.clusters] == folders
    assert {cluster.azure.kubernetes for cluster in inventory.clusters} == {"1.36"}
    kinds = ("NodePool", "AKSNodeClass", "ManagedClustersAgentPool")
    pools = [each for cluster in inventory.clusters for each in cluster.objects if each.body["kind"] in kinds]
    files = [
        path
        for path in (ROOT / "overlays").glob("*/nodes/*.yaml")
        if path.name.startswith(tuple(map(str.lower, kinds)))
    ]
    assert len(pools) == len(files) > 0
    assert inventory.faults == ()


def test_objects_without_a_name_are_not_states_of_one_object() -> None:
    nameless = "apiVersion: karpenter.sh/v1\nkind: NodePool\n"
    inventory = observe({"pools.yaml": f"{nameless}---\n{nameless}metadata: {{name: 5}}\n"})
    assert [fault.code for fault in inventory.faults] == ["IMP009", "IMP009"]
    assert not any(cluster.objects for cluster in inventory.clusters)
