"""What the spec says, as frozen values. Every default has been filled in; a None is the author's silence."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gitgpu.diagnostic import ObjectRef
from gitgpu.model.mig import Mig
from gitgpu.model.sku import Sku
from gitgpu.source import Pointer, SourceMap, Span


class Origin(NamedTuple):
    """The document that a value comes from. `label` is the file's name in generated headers."""

    places: SourceMap
    label: str
    ref: ObjectRef

    def span(self, pointer: Pointer = (), *, key: bool = False) -> Span:
        """Where a value of the document stands, as people name the file."""
        return self.places.span(pointer, key=key)

    @property
    def mark(self) -> Span:
        """Where the document begins, as generated headers name the file."""
        return self.places.span()._replace(file=self.label)


class Taint(NamedTuple):
    """A Kubernetes taint; value is "" where there is none."""

    key: str
    value: str
    effect: str


SPOT = Taint("kubernetes.azure.com/scalesetpriority", "spot", "NoSchedule")
OS_DISK_GB = 128  # the AKSNodeClass's own default


class Delivery(NamedTuple):
    """How the overlays reach a cluster."""

    engine: str
    repository: str
    revision: str
    path: str
    namespace: str
    interval: str
    secret: str | None
    destination: str | None


class Metrics(NamedTuple):
    """GPU metrics. `counters` is standard, profiling, or the DCGM fields by name; delays in seconds."""

    exporter: bool
    scrape: str
    interval: str
    counters: str | tuple[str, ...]
    readiness_delay: int
    liveness_delay: int
    alerts: bool
    dashboards: bool
    labels: Mapping[str, str]
    server: str | None
    identity: str | None

    @property
    def watching(self) -> tuple[str, ...]:
        """The keys by which somebody asks to be told or shown."""
        return (*(("alerts",) if self.alerts else ()), *(("dashboards",) if self.dashboards else ()))


class Stack(NamedTuple):
    """The software on a cluster's GPU nodes."""

    driver: str
    metrics: Metrics
    keda: str
    adapter: str


class Fleet(NamedTuple):
    """The document that speaks for the whole fleet."""

    name: str
    origin: Origin


class Cluster(NamedTuple):
    """One AKS cluster, with the fleet's defaults merged in."""

    name: str
    labels: Mapping[str, str]
    region: str
    kubernetes: str
    provisioner: str
    network: Mapping[str, Any]
    delivery: Delivery
    stack: Stack
    origin: Origin


class Limits(NamedTuple):
    """The most that a pool may grow to; None where nothing is said. cpu and memory are quantities."""

    gpus: int | None = None
    cpu: str | None = None
    memory: str | None = None
    nodes: int | None = None


class Sharing(NamedTuple):
    """How many pods a GPU serves, and how: `way` is the spec's word, timeSlicing or mps, "" for whole GPUs."""

    way: str = ""
    replicas: int = 1


class Pool(NamedTuple):
    """GPU nodes of one sort. `skus` are the sizes that will do; `sizes` what the spec names, () for requirements.

    `branch` is that of the GPU Operator's driver, None for its default.
    `disruption`, `kubelet` and `image` keep the spec's keys, which are the AKSNodeClass's and NodePool's words.
    """

    name: str
    clusters: tuple[str, ...]
    skus: tuple[Sku, ...]
    sizes: tuple[str, ...]
    capacity: tuple[str, ...]
    limits: Limits
    zones: tuple[str, ...]
    placement: str | None
    weight: int | None
    driver: str | None
    branch: str | None
    image: Mapping[str, Any]
    kubelet: Mapping[str, Any]
    max_pods: int | None
    disruption: Mapping[str, Any]
    taints: tuple[Taint, ...]
    startup_taints: tuple[Taint, ...]
    labels: Mapping[str, str]
    tags: Mapping[str, str]
    sharing: Sharing
    mig: Mig | None
    origin: Origin

    @property
    def shares(self) -> int:
        """As how many a node advertises one of its GPUs: turns, clients of MPS, or instances of MIG."""
        return self.mig.instances if self.mig and self.mig.single else self.sharing.replicas

    @property
    def only_spot(self) -> bool:
        """Are all nodes of the pool spot nodes?"""
        return self.capacity == ("spot",)

    @property
    def os_disk_gb(self) -> int:
        """The size of the OS disk, whoever says it."""
        size: int = self.image.get("osDiskGB", OS_DISK_GB)
        return size


class Scaling(NamedTuple):
    """How many replicas there are."""

    engine: str
    metric: str
    query: str | None
    target: float
    min: int
    max: int
    cooldown: str | None


class Workload(NamedTuple):
    """A workload that uses GPUs. `pools` are names; `target_kind` and `target_name` the object to patch and scale.

    `mig` is the profile that its pods run on, None for whatever its pools have.
    """

    name: str
    namespace: str
    pools: tuple[str, ...]
    target_kind: str
    target_name: str
    container: str
    gpus: int
    mig: str | None
    cuda: str | None
    scaling: Scaling | None
    origin: Origin
