"""AKS node pools as rules read them, from objects of Azure Service Operator."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import MAPPING, list_at, mapping_at, reach, text_at
from gitgpu.model.names.kinds import MANAGED_CLUSTER, MANAGED_CLUSTERS_AGENT_POOL
from gitgpu.model.sku import Sku
from gitgpu.model.spec.taint import SPOT, parse_taint
from gitgpu.objects.node.gpu_pools import managed_tag
from gitgpu.objects.objects import Item, Objects
from gitgpu.source import Pointer


class PoolSize(NamedTuple):
    """A size that a pool names: its place, the name as written, and the row of the catalog."""

    place: Pointer
    name: str
    sku: Sku | None


class AgentPool(NamedTuple):
    """A pool: its object, and its properties with their place. `name` is the name in Azure, `name_at` its place."""

    item: Item
    pointer: Pointer
    spec: Mapping[str, Any]
    name: str
    name_at: Pointer

    def place(self, *path: str | int) -> Pointer:
        """The place of a property."""
        return (*self.pointer, *path)

    @property
    def os_type(self) -> str:
        """Linux or Windows; Linux if it is not set."""
        return self.spec.get("osType") or "Linux"

    @property
    def os_sku(self) -> str:
        """The osSKU. If it is not set: Ubuntu on Linux, "" on Windows, where it depends on the Kubernetes version."""
        return self.spec.get("osSKU") or ("Ubuntu" if self.os_type == "Linux" else "")

    @property
    def taints(self) -> list[Mapping[str, str]]:
        """The taints of its nodes, including the one that AKS adds to spot nodes. Malformed taints are omitted."""
        taints = [parse_taint(str(text)) for text in self.spec.get("nodeTaints") or ()]
        if self.is_spot and SPOT not in taints:
            taints.append(SPOT)
        return [taint._asdict() for taint in taints if taint.effect]

    @property
    def is_spot(self) -> bool:
        """Whether its nodes are spot nodes."""
        return self.spec.get("scaleSetPriority") == "Spot"

    @property
    def installs_driver(self) -> bool:
        """Whether AKS installs the GPU driver, as it does by default."""
        asked: str | None = reach(self.spec, "gpuProfile", "driver")
        return asked != "None"

    @property
    def gpu_instance_profile(self) -> str:
        """How AKS partitions its GPUs; "" if it does not. It does only where it installs the driver.

        Source: basePrep in parts/linux/cloud-init/artifacts/cse_main.sh of Azure/AgentBaker at 06836ee2301e.
        """
        ignored = not self.installs_driver and self.manages_gpus[:1] != ("gpuProfile",)
        return "" if ignored else str(self.spec.get("gpuInstanceProfile") or "")

    @property
    def manages_gpus(self) -> Pointer:
        """The property or tag that lets AKS manage all of its GPU software; () if there is none."""
        mode = ("gpuProfile", "nvidia", "managementMode")
        name, value = managed_tag(self.spec.get("tags"))
        if str(reach(self.spec, *mode)).lower() == "managed":
            return mode
        return ("tags", name) if value.lower() == "true" else ()

    def sizes(self, objects: Objects) -> list[PoolSize]:
        """Each size that the pool names."""
        named = [(self.place("vmSize"), text_at(self.spec, "vmSize"))]
        named += [(self.place(*place, "size"), text_at(profile, "size")) for place, profile in size_profiles(self.spec)]
        return [PoolSize(place, name, objects.catalog.sku(name)) for place, name in named if name]

    def by_size(self) -> "list[SizedPool]":
        """The pool once for each of its sizes, as if it had only that one."""
        sized = []
        for place, profile in size_profiles(self.spec):
            scaled = "autoscale" in place
            more = {"vmSize": profile.get("size"), "enableAutoScaling": scaled}
            more |= {key: profile.get(key) for key in ("minCount", "maxCount", "count")}
            number = self.place(*place, "maxCount" if scaled else "count")
            sized.append(SizedPool(self._replace(spec={**self.spec, **more}), self.place(*place, "size"), number))
        number = self.place("maxCount" if self.spec.get("enableAutoScaling") is True else "count")
        return sized or [SizedPool(self, self.place("vmSize"), number)]


class SizedPool(NamedTuple):
    """The nodes of one size of a pool: the pool with only them, and the places of the size and of their number."""

    pool: AgentPool
    size_at: Pointer
    number_at: Pointer


def size_profiles(spec: Mapping[str, Any]) -> Iterator[tuple[Pointer, Mapping[str, Any]]]:
    """The profiles of a VirtualMachines pool, each with its place. Until 2026-01-02-preview, one autoscaled at most."""
    for key in ("manual", "autoscale"):
        place: Pointer = ("virtualMachinesProfile", "scale", key)
        profiles = reach(spec, *place)
        if isinstance(profiles, MAPPING):
            yield place, profiles
        for index, profile in enumerate(list_at(profiles)):
            yield (*place, index), mapping_at(profile)


def agent_pools(objects: Objects) -> Iterator[AgentPool]:
    """Every pool in the input: ManagedClustersAgentPools, and the agentPoolProfiles of ManagedClusters."""
    return iter(objects.once("agent pools", lambda: tuple(_agent_pools(objects))))


def _agent_pools(objects: Objects) -> Iterator[AgentPool]:
    for item in objects.of(*MANAGED_CLUSTERS_AGENT_POOL):
        spec = reach(item.body, "spec")
        if spec:
            azure_name = spec.get("azureName")
            yield AgentPool(
                item,
                ("spec",),
                spec,
                azure_name or item.identity.name,
                ("spec", "azureName") if azure_name else ("metadata", "name"),
            )
    for item in clusters(objects):
        yield from _inside(item)


def _inside(cluster: Item) -> Iterator[AgentPool]:
    for index, profile in enumerate(reach(cluster.body, "spec", "agentPoolProfiles") or ()):
        place: Pointer = ("spec", "agentPoolProfiles", index)
        yield AgentPool(cluster, place, profile, profile.get("name", ""), (*place, "name"))


def has_agent_pools(objects: Objects) -> bool:
    """Whether the cluster has AKS node pools, among its objects or not."""
    return has_unknown_agent_pools(objects) or any(True for _ in agent_pools(objects))


def has_unknown_agent_pools(objects: Objects) -> bool:
    """Whether the cluster has AKS node pools that are not among its objects, such as those that Terraform creates."""
    return MANAGED_CLUSTERS_AGENT_POOL in objects.beyond


def has_managed_nics(pool: AgentPool) -> bool:
    """Whether AKS sets up its InfiniBand NICs (managed DRANET)."""
    mode: str | None = reach(pool.spec, "networkProfile", "dranet", "mode")
    return mode == "Managed"


def clusters(objects: Objects) -> Iterator[Item]:
    """Every ManagedCluster."""
    return objects.of(*MANAGED_CLUSTER)


def region_of(cluster: Item) -> str:
    """The region of a cluster by its name in the API, such as swedencentral; "" if it is not set."""
    return str(reach(cluster.body, "spec", "location") or "").lower().replace(" ", "")


def pools_of(cluster: Item, objects: Objects) -> list[AgentPool]:
    """The pools of one cluster: those in its spec, and the objects that it owns."""
    owned = objects.once("pools by owner", lambda: _by_owner(objects))
    identity = cluster.identity
    return [*owned.get((identity.name, identity.namespace), ()), *_inside(cluster)]


def _by_owner(objects: Objects) -> dict[tuple[str, str], list[AgentPool]]:
    """The pools that are separate objects, by the name and namespace of the cluster that owns them."""
    by_owner: dict[tuple[str, str], list[AgentPool]] = {}
    for pool in agent_pools(objects):
        owner = reach(pool.spec, "owner", "name")
        if owner:  # a pool in the spec of a cluster has none
            by_owner.setdefault((owner, pool.item.identity.namespace), []).append(pool)
    return by_owner


def kubernetes_of(pool: AgentPool, objects: Objects) -> str:
    """The Kubernetes version that a pool or its cluster sets; "" if none is set, or the cluster is not among them."""
    versions = objects.once("versions of clusters", lambda: dict(_versions(objects)))
    is_in_cluster = pool.item.identity.kind == MANAGED_CLUSTER.kind
    name = pool.item.identity.name if is_in_cluster else reach(pool.spec, "owner", "name")
    cluster_version = versions.get((name, pool.item.identity.namespace), "")
    return str(pool.spec.get("orchestratorVersion") or cluster_version)


def _versions(objects: Objects) -> Iterator[tuple[tuple[str, str], str]]:
    for cluster in clusters(objects):
        identity = cluster.identity
        yield (identity.name, identity.namespace), str(reach(cluster.body, "spec", "kubernetesVersion") or "")
