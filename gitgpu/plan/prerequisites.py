"""What a cluster and its subscription must have before the fleet can work on it."""

from collections.abc import Iterable, Iterator, Sequence

from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.fleet import Cluster
from gitgpu.model.software.preview import title
from gitgpu.model.software.registries import azure_name
from gitgpu.plan.decided.cluster import PoolPlan, Prerequisite, WorkloadPlan


def prerequisites(
    cluster: Cluster, pools: Sequence[PoolPlan], workloads: Sequence[WorkloadPlan], catalog: Catalog
) -> tuple[Prerequisite, ...]:
    """The prerequisites in the order in which they are enabled: features of the subscription first."""
    identities = _identities(cluster, workloads)
    given = catalog.must("admission", "aks-automatic")["prerequisites"] if cluster.is_automatic else ()
    names = (name for name in _names(cluster, pools, workloads) if name not in given)
    rows = [catalog.must("prerequisites", name) for name in names]
    needed = [_prerequisite(row, cluster, identities, catalog) for row in rows]
    needed += [_attached(catalog.must("prerequisites", "registry"), name) for name in _registries(cluster, catalog)]
    return tuple(sorted(needed, key=lambda prerequisite: not prerequisite.feature))


def _registries(cluster: Cluster, catalog: Catalog) -> list[str]:
    """The Azure registries from which nodes, and Flux on them, pull with the identity of the nodes."""
    wanted = cluster.registry
    places = () if wanted.pull_secret else (wanted.mirror or "", (wanted.charts or "").removeprefix("oci://"))
    return list(dict.fromkeys(filter(None, (azure_name(place, catalog) for place in places))))


def _attached(row: Facts, registry: str) -> Prerequisite:
    options = tuple(word.replace("$registry", registry) for word in row["update"])
    return Prerequisite(title(row), options, "", tuple(row["hints"]))


def _prerequisite(row: Facts, cluster: Cluster, identities: tuple[str, ...], catalog: Catalog) -> Prerequisite:
    workspace, identity = cluster.stack.metrics.workspace, next(iter(identities), "")
    by_chart = cluster.stack.keda == "helm"
    namespace = catalog.must("charts", "keda")["namespace"] if by_chart else "kube-system"
    named = (row["workspace"], workspace) if workspace and "workspace" in row else ()
    return Prerequisite(
        title(row),
        (*row.get("update", ()), *named),
        row.get("feature", ""),
        tuple(row.get("hints", ())),
        tuple(_call(arguments, identity) for arguments in row.get("kubectl", ())),
        tuple(row.get("extension", ())),
        federated=row.get("federated", "").replace("$namespace", namespace),
        identities=identities if "federated" in row else (),
        **({"properties": row["azure"]["properties"], "api": row["azure"]["version"]} if "azure" in row else {}),
    )


def _call(arguments: Iterable[str], identity: str) -> tuple[str, ...]:
    return tuple(argument.replace("$identity", identity) for argument in arguments)


def _identities(cluster: Cluster, workloads: Sequence[WorkloadPlan]) -> tuple[str, ...]:
    """The identities that KEDA uses, each once: that for reading GPU metrics first."""
    workload_identities = {workload.workload.scaling.identity for workload in workloads if workload.workload.scaling}
    return tuple(
        dict.fromkeys(filter(None, (cluster.stack.metrics.reader, *sorted(filter(None, workload_identities)))))
    )


def _names(cluster: Cluster, pools: Sequence[PoolPlan], workloads: Sequence[WorkloadPlan]) -> Iterator[str]:
    engines = {workload.workload.scaling.engine for workload in workloads if workload.workload.scaling}
    identified = bool(_identities(cluster, workloads))
    scales = "keda" in engines
    keda = cluster.stack.keda == "addon" and scales
    karpenter = cluster.brings_karpenter or any(pool.pool.by_karpenter for pool in pools)
    scaled = any(pool.node_pool and not pool.node_pool.is_fixed for pool in pools)
    wanted = {
        "two-autoscalers": karpenter and scaled,
        "infiniband": any(pool.pool.rdma for pool in pools),
        "managed-gpu-nodes": any(pool.driver == "managed" for pool in pools),
        "windows-gpus": any(pool.pool.windows for pool in pools),
        "node-auto-provisioning": karpenter,
        "managed-prometheus": cluster.stack.metrics.scrape == "azure-managed",
        "workload-identity": identified,
        "scheduler-profile": cluster.binpack,
        "managed-kueue": cluster.stack.queues == "aks",
        "kaito-addon": cluster.stack.kaito == "addon",
        "keda-addon": keda,
        "keda-credential": scales and cluster.stack.keda != "none" and identified,
        "keda-identity": keda and identified,
    }
    return (name for name, is_needed in wanted.items() if is_needed)
