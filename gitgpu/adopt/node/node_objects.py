"""The pools among the objects of a cluster: which have GPUs, and which are not adopted."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from gitgpu.access import MAPPING, mapping_at, reach, text_at
from gitgpu.adopt.adoption import Fate, GpuNodes, Outcome, Ruling
from gitgpu.adopt.compiled import node_object
from gitgpu.adopt.node.kaito_pools import is_of_kaito
from gitgpu.adopt.node.operator_objects import operator_namespace
from gitgpu.compare.nodes import GROUPS, Context, Pool, pools
from gitgpu.compare.snapshot import Key, OverlayObject
from gitgpu.inventory.observed import DELETING, FAILED, Azure, Observed, ObservedCluster, Skipped
from gitgpu.model.catalog import Catalog
from gitgpu.model.names.kinds import AKS_NODE_CLASS, MANAGED_CLUSTERS_AGENT_POOL
from gitgpu.model.names.labels import SKU_SERIES_LABEL
from gitgpu.model.size.exact_requirements import required_sizes
from gitgpu.model.size.node_labels import NAMES
from gitgpu.model.sku import Sku
from gitgpu.model.software.names import NAMESPACE
from gitgpu.objects.node.agent_pools import size_profiles
from gitgpu.objects.objects import identity
from gitgpu.source import pointer_text

_NO_GPU = "nodes without a GPU"
_DOTTED = (
    "a GpuPool has the same name as its NodePool, and that name cannot contain dots; a NodePool with a different name "
    "would be a new pool"
)
_OF_KAITO = "KAITO creates and deletes it together with its Workspace"
_FAILED = f"{FAILED}: repair it, such as with `az aks nodepool update`, and import it again"


class Nodes(NamedTuple):
    """The GPU pools sorted by name, the same pools for `compare`, all node objects, and outcomes of other pools.

    `namespace` is that of Azure Service Operator's objects of GPU node pools.
    """

    gpu: tuple[GpuNodes, ...]
    pools: Mapping[tuple[str, str], Pool]
    overlay_objects: Mapping[Key, OverlayObject]
    outcomes: tuple[Outcome, ...]
    namespace: str = NAMESPACE


def nodes_of(cluster: ObservedCluster, region: str, context: Context) -> Nodes:
    """The pools of a cluster, with an outcome for each pool and node class that is not adopted."""
    seen_objects = [observed for observed in cluster.objects if is_of_nodes(observed.body)]
    namespace = operator_namespace(seen_objects, context.catalog)
    stored = [node_object(as_ours(observed.body, namespace), cluster.name) for observed in seen_objects]
    overlay_objects = {obj.key: obj for obj in stored}
    by_key = pools(overlay_objects.values(), region, context)
    classes = {name_of(observed): observed for observed in seen_objects if observed.body["kind"] == AKS_NODE_CLASS.kind}
    gpu: list[GpuNodes] = []
    outcomes: list[Outcome] = []
    for observed in seen_objects:
        if observed.body["kind"] == AKS_NODE_CLASS.kind:
            continue
        pool = by_key[observed.body["kind"], name_of(observed)]
        node_class = classes.get(class_name(observed.body))
        ruling = why_passed(observed) or _why_left(observed, pool, context.catalog)
        if node_class and node_class.state and not ruling:
            ruling = Ruling(Fate.INEXPRESSIBLE, f"{node_class.name}, its node class: {node_class.state}")
        ruling = ruling or _why_hidden(observed) or (_why_hidden(node_class) if node_class else None)
        if ruling:
            outcomes.append(Outcome(observed, *ruling))
        else:
            skus = pool.skus or gpu_sizes(pool, context.catalog)
            gpu.append(GpuNodes(name_of(observed), observed, node_class, skus))
    used = {class_name(nodes.observed.body) for nodes in gpu}
    outcomes += _unused_classes(classes, used)
    return Nodes(tuple(sorted(gpu, key=lambda nodes: nodes.name)), by_key, overlay_objects, tuple(outcomes), namespace)


def is_of_nodes(body: Mapping[str, Any]) -> bool:
    """Whether it is a NodePool, an AKSNodeClass or an AKS node pool."""
    return GROUPS.get(str(body.get("kind"))) == str(body.get("apiVersion", "")).partition("/")[0]


def name_of(observed: Observed) -> str:
    """The name of the object."""
    return identity(observed.body).name


def unapplied_pools(skipped: Iterable[Skipped], context: Context) -> Iterator[Outcome]:
    """Outcomes of GPU pools that nothing applies to a known cluster: they may run, but are not in the fleet."""
    for entry in skipped:
        if entry.observed:
            nodes = nodes_of(ObservedCluster("", Azure(), (entry.observed,)), "", context)
            if nodes.gpu or any(outcome.fate is Fate.INEXPRESSIBLE for outcome in nodes.outcomes):
                yield Outcome(entry.observed, Fate.INEXPRESSIBLE, entry.reason)


def class_name(body: Mapping[str, Any]) -> str:
    """The name of the node class that a NodePool refers to; "" for other kinds."""
    return str(reach(body, "spec", "template", "spec", "nodeClassRef", "name") or "")


def as_ours(body: Mapping[str, Any], namespace: str) -> Mapping[str, Any]:
    """The object as gitgpu writes it: a node pool without a namespace in this one, other kinds without a namespace."""
    meta = body["metadata"]
    if body["kind"] == MANAGED_CLUSTERS_AGENT_POOL.kind:
        placed = body if meta.get("namespace") else {**body, "metadata": {**meta, "namespace": namespace}}
        return _with_managed_driver(_with_azure_name(placed))
    # Kustomize sets the namespace of every custom resource; the API server removes it from cluster-scoped ones.
    return {**body, "metadata": {key: meta[key] for key in meta if key != "namespace"}}


def _with_azure_name(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """The node pool with its name in Azure: without one, Azure Service Operator sets that of the object.

    This is `defaultAzureName` in the webhooks of its resources.
    """
    spec = mapping_at(body, "spec")
    if spec.get("azureName"):
        return body
    return {**body, "spec": {**spec, "azureName": text_at(body, "metadata", "name")}}


def _with_managed_driver(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """The node pool with the driver that AKS installs: with managed GPUs, it ignores `driver: None`.

    https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/aks-managed-gpu-nodes.md
    """
    profile = reach(body, "spec", "gpuProfile") or {}
    if (
        str(reach(profile, "nvidia", "managementMode")).lower() != "managed"
        or str(profile.get("driver") or "").lower() != "none"
    ):
        return body
    return {**body, "spec": {**body["spec"], "gpuProfile": {**profile, "driver": "Install"}}}


def _why_left(observed: Observed, pool: Pool, catalog: Catalog) -> Ruling | None:
    """The outcome of a pool that is not adopted; None if it is adopted."""
    if pool.kind == MANAGED_CLUSTERS_AGENT_POOL.kind:
        ruling = _why_agents_left(observed.body, pool, catalog)
        return Ruling(Fate.INEXPRESSIBLE, _FAILED) if observed.state and not ruling else ruling
    karpenter = pool.karpenter
    if karpenter is None:
        return _why_unread_left(observed.body)
    named = list(chain.from_iterable(entry.values for entry in karpenter.entries if entry.key in NAMES))
    unknown_names = [name for name in named if _is_unknown_gpu_size(name, catalog)]
    if unknown_names:
        return Ruling(Fate.INEXPRESSIBLE, _unknown(unknown_names[0]))
    sizes = gpu_sizes(pool, catalog)
    if not karpenter.for_gpus and not sizes:
        return _why_mixed_left([name for name in named if catalog.sku(name)])
    if not (pool.skus or sizes):
        return Ruling(Fate.INEXPRESSIBLE, "no size of the catalog meets its requirements")
    return Ruling(Fate.INEXPRESSIBLE, _DOTTED) if "." in name_of(observed) else None


def why_passed(observed: Observed) -> Ruling | None:
    """The outcome of a pool that disappears by itself; None for other pools."""
    if observed.state == DELETING:
        return Ruling(Fate.LEFT, DELETING)
    return Ruling(Fate.LEFT, _OF_KAITO) if is_of_kaito(observed.body) else None


def _why_hidden(observed: Observed) -> Ruling | None:
    """The outcome of a pool with a tag, label or annotation that may be a secret: nodes would change without it."""
    if not observed.hidden:
        return None
    name = f"{pointer_text(observed.hidden[0])} of {observed.name}"
    reason = f"{name} may be a secret, which does not belong in Git: if it is not, add the pool to the fleet by hand"
    return Ruling(Fate.INEXPRESSIBLE, reason)


def _why_unread_left(body: Mapping[str, Any]) -> Ruling:
    """The outcome of a NodePool that is not for AKS, or does not match the schema of a NodePool."""
    kind = reach(body, "spec", "template", "spec", "nodeClassRef", "kind")
    if kind != AKS_NODE_CLASS.kind:
        return Ruling(Fate.LEFT, f"its node class has kind {kind}, which is not from AKS")
    return Ruling(Fate.INEXPRESSIBLE, "it does not match the schema of a NodePool")


def _why_mixed_left(gpu_names: Sequence[str]) -> Ruling:
    """The outcome of a NodePool that may create nodes without GPUs; `gpu_names` are the GPU sizes that it lists."""
    if gpu_names:
        reason = f"it lists sizes without a GPU besides {gpu_names[0]}: a GpuPool has only GPU sizes"
        return Ruling(Fate.INEXPRESSIBLE, reason)
    return Ruling(Fate.LEFT, f"{_NO_GPU}, or not only nodes with one")


def gpu_sizes(pool: Pool, catalog: Catalog) -> tuple[Sku, ...]:
    """The sizes of a NodePool that allows only GPU series, which `compare` does not recognise as a GPU pool."""
    wanted = pool.karpenter.together.get(SKU_SERIES_LABEL) if pool.karpenter else None
    if not (pool.karpenter and wanted and wanted.operator == "In"):
        return ()
    series = {sku.series for sku in catalog.skus}
    return tuple(required_sizes(catalog, pool.karpenter.together)) if wanted.values <= series else ()


def _why_agents_left(body: Mapping[str, Any], pool: Pool, catalog: Catalog) -> Ruling | None:
    """The outcome of an AKS node pool that is not adopted; None if it is adopted."""
    machines = [profile for _, profile in size_profiles(mapping_at(body, "spec"))]
    if pool.skus and len(machines) in (0, len(pool.skus)) and _are_counted(machines):
        return None
    size = str(reach(body, "spec", "vmSize") or "")
    if size:
        if _is_unknown_gpu_size(size, catalog):
            return Ruling(Fate.INEXPRESSIBLE, _unknown(size))
        return Ruling(Fate.LEFT, f"{_NO_GPU}, of size {size}")
    several = _sizes_of_machines(body)
    if not several:
        return Ruling(Fate.LEFT, "the input does not contain its size")
    with_gpus = [name for name in several if catalog.sku(name) or _is_unknown_gpu_size(name, catalog)]
    if not with_gpus:
        return Ruling(Fate.LEFT, f"{_NO_GPU}, of size {', '.join(several)}")
    names = ", ".join(with_gpus)
    reason = (
        f"it is a VirtualMachines pool with the sizes {names}: one is named twice or not in the catalog, or it has "
    )
    reason += "no number of nodes, or equal bounds of the autoscaler, which the spec writes as a fixed number"
    return Ruling(Fate.INEXPRESSIBLE, reason)


def _are_counted(profiles: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the spec has the number of nodes of each size of a VirtualMachines pool: a fixed one, or two bounds.

    A size that is named twice would have two numbers. Equal bounds would be a fixed number.
    """
    sizes = [text_at(profile, "size").lower() for profile in profiles]
    if len(set(sizes)) < len(sizes):
        return False
    keys = ("count", "minCount", "maxCount")
    stated = {tuple(profile.get(key) is not None for key in keys) for profile in profiles}
    equal = any(profile.get("maxCount") is not None and _is_fixed(profile) for profile in profiles)
    return stated <= {(True, False, False), (False, True, True)} and not equal


def _is_fixed(profile: Mapping[str, Any]) -> bool:
    return bool(profile.get("minCount") == profile.get("maxCount"))


def _sizes_of_machines(body: Mapping[str, Any]) -> list[str]:
    """The sizes of a node pool of type VirtualMachines, which can have several."""
    scale = reach(body, "spec", "virtualMachinesProfile", "scale")
    autoscaled = reach(scale, "autoscale") or ()
    profiles = [*(reach(scale, "manual") or ()), *([autoscaled] if isinstance(autoscaled, MAPPING) else autoscaled)]
    sizes = [reach(profile, "size") for profile in profiles]
    return list(dict.fromkeys(str(size) for size in sizes if size))


def _is_unknown_gpu_size(name: str, catalog: Catalog) -> bool:
    """Whether it is a size that may have a GPU, but is not in the catalog."""
    return bool(name) and catalog.sku(name) is None and "has no GPU" not in catalog.unknown_size(name).message


def _unknown(name: str) -> str:
    return f"the catalog does not know the size {name}: add it to your own catalog"


def _unused_classes(classes: Mapping[str, Observed], used: set[str]) -> Iterator[Outcome]:
    for name, observed in classes.items():
        if name not in used:
            yield Outcome(observed, Fate.LEFT, "not the node class of an adopted GPU pool")
