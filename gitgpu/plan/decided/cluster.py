"""The decisions for one cluster: plain frozen values in which no choice is left.

`rows` are the files of the user's own catalog that a decision depends on.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gitgpu.model.fleet import Cluster, Pool, Workload
from gitgpu.model.spec.origin import SpecObject
from gitgpu.model.spec.taint import Taint
from gitgpu.plan.decided.charts import Adapter, Chart
from gitgpu.plan.decided.claims import Claim, DraDriver
from gitgpu.plan.decided.daemon_placement import DaemonPlacement, Toleration
from gitgpu.plan.decided.gpus import DevicePlugin, Partitioning, PluginConfig, PoolDriver
from gitgpu.plan.decided.guard import Guard
from gitgpu.plan.decided.hardware import AmdOperator, AmdPlugin, Discovery, Fabric
from gitgpu.plan.decided.health import Care
from gitgpu.plan.decided.models import Serving
from gitgpu.plan.decided.monitoring import Alert, Insights, Monitor, NodeMonitor, Panel
from gitgpu.plan.decided.nodes import NodePoolPlan, Nodes
from gitgpu.plan.decided.queues import Queues
from gitgpu.plan.decided.registry import Registry


class Requirement(NamedTuple):
    """A Karpenter requirement; `min_values` is 0 if it has none."""

    key: str
    operator: str
    values: tuple[str, ...]
    min_values: int = 0


class PoolPlan(NamedTuple):
    """A NodePool and its AKSNodeClass, or the AKS node pool in their place.

    `driver` is who installs it, directx for the one that AKS installs on Windows nodes. `gpu_mode` is the mode of the
    node class, None for its default. With `claimed`, pods request its GPUs by ResourceClaim.
    """

    pool: Pool
    driver: str
    claimed: bool
    resource: str
    gpu_mode: str | None
    requirements: tuple[Requirement, ...]
    limits: Mapping[str, str]
    labels: Mapping[str, str]
    taints: tuple[Taint, ...]
    tags: Mapping[str, str]
    subnet: str | None
    profiling: bool
    rows: tuple[str, ...]
    node_pool: NodePoolPlan | None = None

    @property
    def name(self) -> str:
        """The name of the pool, and so of the NodePool and the AKSNodeClass."""
        return self.pool.name


class Counter(NamedTuple):
    """A DCGM field that is exported; `type` is gauge, counter or label."""

    field: str
    type: str
    help: str


class Exporter(NamedTuple):
    """A DCGM exporter, with a DaemonSet for each of `placements`. `interval` is in milliseconds.

    `shared` says whether several pods may use a GPU.
    `memory` has its requests and limits as quantities; None if they were not measured.
    """

    name: str
    image: str
    placements: tuple[DaemonPlacement, ...]
    counters: tuple[Counter, ...]
    profiling: bool
    shared: bool
    interval: int
    memory: Mapping[str, str] | None
    rows: tuple[str, ...]


class Operator(NamedTuple):
    """The GPU Operator on its nodes. `counters` is () if it exports nothing; `interval` is in milliseconds.

    With `claimed`, another driver allocates the GPUs, so the operator's own device plugin must not. `configs` is {} if
    all nodes have the plugin's defaults; `shared` says whether several pods share a GPU. With `direct`, the operator's
    default driver gives InfiniBand NICs access to the memory of GPUs. `toolkit` is the environment of its container
    toolkit. With `driver_objects`, drivers are NVIDIADrivers. With `fallback`, the chart's own NVIDIADriver is for the
    nodes that none of `drivers` selects; without it, the two would be in conflict.
    """

    chart: Chart
    placement: DaemonPlacement
    claimed: bool
    configs: Mapping[str, PluginConfig]
    shared: bool
    partitioning: Partitioning | None
    drivers: tuple[PoolDriver, ...]
    driver_objects: bool
    fallback: bool
    counters: tuple[Counter, ...]
    interval: int
    direct: bool
    toolkit: Mapping[str, str]


class Trigger(NamedTuple):
    """A KEDA trigger that scales a workload. `total` means that its value is a sum, divided by the number of replicas.

    `identity` is the one that KEDA uses, or None; `authentication` is the name of the object with it.
    """

    type: str
    metadata: Mapping[str, str]
    total: bool
    identity: str | None
    authentication: str


class Prerequisite(NamedTuple):
    """What Azure must provide: the options of `az aks update`, or a preview feature of the subscription.

    `extension` are the options of `az k8s-extension create` for an extension of the cluster, its name first. `hints`
    are sentences for the person who runs the commands; `kubectl` are the arguments of kubectl commands that follow.
    `federated` is the subject of a federated credential of each of `identities`. `properties` are those of the cluster
    in Azure's API that turn it on, with its version `api`; {} if none does.
    """

    what: str
    update: tuple[str, ...]
    feature: str
    hints: tuple[str, ...] = ()
    kubectl: tuple[tuple[str, ...], ...] = ()
    extension: tuple[str, ...] = ()
    properties: Mapping[str, Any] = {}
    api: str = ""
    federated: str = ""
    identities: tuple[str, ...] = ()


class WorkloadPlan(NamedTuple):
    """A workload on this cluster: where it may run, what it requests, and its KEDA triggers (none for a HPA).

    It requests GPUs of `manufacturer` with `claim` or, if that is None, by the count of `resource`. In the same way, it
    requests InfiniBand NICs with `nic_claim` or by the count of `nics`; None and "" if it requests none. `scheduler` is
    the profile that places its pods, "" for the default one. `queue` is its LocalQueue and `priority`
    its priority class, "" for none.
    """

    workload: Workload
    pools: tuple[Nodes, ...]
    windows: bool
    manufacturer: str
    resource: str
    nics: str
    claim: Claim | None
    nic_claim: Claim | None
    tolerations: tuple[Toleration, ...]
    triggers: tuple[Trigger, ...]
    scheduler: str
    queue: str = ""
    priority: str = ""

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The claims of its pods for GPUs and NICs."""
        return tuple(claim for claim in (self.claim, self.nic_claim) if claim)


class ClusterPlan(NamedTuple):
    """All decisions for one cluster. `packed` are the resources that its scheduler fills nodes with, or ()."""

    fleet: str
    cluster: Cluster
    pools: tuple[PoolPlan, ...]
    device_plugin: DevicePlugin | None
    exporters: tuple[Exporter, ...]
    operator: Operator | None
    amd: AmdOperator | None
    amd_plugin: AmdPlugin | None
    fabric: Fabric | None
    discovery: Discovery | None
    dra: DraDriver | None
    keda: Chart | None
    adapter: Adapter | None
    monitors: tuple[Monitor, ...]
    node_monitor: NodeMonitor | None
    alerts: tuple[Alert, ...]
    panels: tuple[Panel, ...]
    insights: Insights | None
    workloads: tuple[WorkloadPlan, ...]
    care: Care
    prerequisites: tuple[Prerequisite, ...]
    packed: tuple[str, ...]
    serving: Serving
    registry: Registry
    queues: Queues = Queues()
    guard: Guard | None = None

    @property
    def node_pools(self) -> tuple[NodePoolPlan, ...]:
        """The AKS node pools, in order of the pools' names."""
        return tuple(pool.node_pool for pool in self.pools if pool.node_pool)

    @property
    def has_karpenter_pools(self) -> bool:
        """Whether Karpenter creates the nodes of any of its pools."""
        return any(pool.pool.by_karpenter for pool in self.pools)

    @property
    def mark(self) -> SpecObject:
        """The object in the spec that the cluster as a whole comes from."""
        return self.cluster.origin.mark
