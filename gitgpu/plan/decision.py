"""What has been decided for one cluster: plain frozen values in which no choice is left."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from gitgpu.model.fleet import Cluster, Pool, Taint, Workload
from gitgpu.source import Span


class Requirement(NamedTuple):
    """A Karpenter requirement."""

    key: str
    operator: str
    values: tuple[str, ...]


class Toleration(NamedTuple):
    """A toleration; value is "" where the taint has none."""

    key: str
    value: str
    effect: str


@dataclass(frozen=True, slots=True)
class PoolPlan:
    """One NodePool and its AKSNodeClass. `driver` is who installs it, `gpu_mode` the class's mode, None for its default."""

    pool: Pool
    driver: str
    resource: str
    gpu_mode: str | None
    requirements: tuple[Requirement, ...]
    limits: Mapping[str, str]
    labels: Mapping[str, str]
    taints: tuple[Taint, ...]
    tags: Mapping[str, str]
    subnet: str | None
    profiling: bool

    @property
    def name(self) -> str:
        """The name of the NodePool, the AKSNodeClass and the karpenter.sh/nodepool label."""
        return self.pool.name


@dataclass(frozen=True, slots=True)
class Reach:
    """The nodes that a DaemonSet must run on, and the taints that it meets there."""

    pools: tuple[str, ...]
    tolerations: tuple[Toleration, ...]


@dataclass(frozen=True, slots=True)
class DevicePlugin:
    """The NVIDIA device plugin on nodes whose driver AKS installs. `sharing` is pods per GPU by config name."""

    image: str
    reach: Reach
    sharing: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Counter:
    """A DCGM field that is exported; `type` is gauge, counter or label."""

    field: str
    type: str
    help: str


@dataclass(frozen=True, slots=True)
class Exporter:
    """A DCGM exporter. `interval` in milliseconds; `shared` when several pods share a GPU."""

    name: str
    image: str
    reach: Reach
    counters: tuple[Counter, ...]
    profiling: bool
    shared: bool
    interval: int


@dataclass(frozen=True, slots=True)
class Chart:
    """A pinned Helm chart. `oci` tells the kind of repository."""

    release: str
    name: str
    repository: str
    oci: bool
    version: str
    namespace: str


@dataclass(frozen=True, slots=True)
class Operator:
    """The GPU Operator on its nodes. `counters` is () where it shall export nothing."""

    chart: Chart
    reach: Reach
    sharing: Mapping[str, int]
    counters: tuple[Counter, ...]


@dataclass(frozen=True, slots=True)
class Monitor:
    """A scrape target: the Service with these labels, at this port."""

    name: str
    namespace: str
    port: str
    selector: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Trigger:
    """What scales a workload. `total` says that the query gives a sum, to be shared among the replicas."""

    server: str
    query: str
    threshold: str
    total: bool
    identity: str | None


@dataclass(frozen=True, slots=True)
class WorkloadPlan:
    """A workload on this cluster: where it may run, what it asks for, what scales it."""

    workload: Workload
    pools: tuple[str, ...]
    resource: str
    tolerations: tuple[Toleration, ...]
    trigger: Trigger | None


@dataclass(frozen=True, slots=True)
class ClusterPlan:
    """All decisions for one cluster."""

    fleet: str
    cluster: Cluster
    pools: tuple[PoolPlan, ...]
    device_plugin: DevicePlugin | None
    exporters: tuple[Exporter, ...]
    operator: Operator | None
    keda: Chart | None
    monitors: tuple[Monitor, ...]
    workloads: tuple[WorkloadPlan, ...]

    @property
    def mark(self) -> Span:
        """The line of the spec that the cluster as a whole comes from."""
        return self.cluster.origin.mark
