"""What the spec says, as frozen values. Every default has been filled in; a None is the author's silence."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gitgpu.model.mig.layout import Mig
from gitgpu.model.sku import Sku
from gitgpu.model.spec.delivery import Delivery
from gitgpu.model.spec.limits import Limits, Nodes
from gitgpu.model.spec.metadata import Metadata
from gitgpu.model.spec.origin import Layer, Origin
from gitgpu.model.spec.patch import Patch
from gitgpu.model.spec.pool_objects import PoolObjects
from gitgpu.model.spec.quota import Quota
from gitgpu.model.spec.registry import Registry
from gitgpu.model.spec.scaling import Scaling
from gitgpu.model.spec.sharing import Sharing
from gitgpu.model.spec.stack import Stack
from gitgpu.model.spec.taint import Taint
from gitgpu.model.syntax.resource_id import ResourceId, resource_id

DIRECTX, KARPENTER = "microsoft.com/directx", "nap"  # any GPU on Windows; the default provisioner
OS_DISK_GB = 128  # the AKSNodeClass's own default


class Cluster(NamedTuple):
    """One AKS cluster, with the defaults of its ring and of the fleet merged in; `ring` is "" without one.

    `values` are those of charts, by the name of the chart, weakest first: the Fleet's, the ring's, the Cluster's.
    """

    name: str
    labels: Mapping[str, str]
    region: str
    kubernetes: str
    provisioner: str
    resource_id: str | None
    karpenter: str | None
    quota: tuple[Quota, ...]
    network: Mapping[str, Any]
    delivery: Delivery
    stack: Stack
    origin: Origin
    values: tuple[Layer, ...] = ()
    patches: tuple[Patch, ...] = ()
    ring: str = ""
    registry: Registry = Registry()

    @property
    def has_node_pools(self) -> bool:
        """Are its nodes those of node pools of AKS, which the cluster autoscaler looks after?"""
        return self.provisioner != KARPENTER

    @property
    def azure(self) -> ResourceId | None:
        """The parts of its resource ID, None where the spec does not say which of Azure's clusters it is."""
        return resource_id(self.resource_id) if self.resource_id else None

    @property
    def aks_name(self) -> str:
        """The name of the AKS cluster, which Azure's agents write to every series and record: else the Cluster's."""
        return self.azure.name if self.azure else self.name


class Pool(NamedTuple):
    """GPU nodes of one sort; a pool that differs between clusters is several of one name, each with its clusters.

    `skus` are the sizes that will do; `sizes` what the spec names, () for requirements. `provisioner` is its clusters',
    `branch` its driver's, `driver_type` the driver's on Windows, `device_plugin` whether gitgpu brings one where other
    software installs the driver, `retire` whether the pool is on its way out, `rdma` how pods get at InfiniBand.
    `disruption`, `kubelet` and `image` keep the spec's keys; `settings` are what an AKSNodeClass takes as it is.
    `node_class` names its AKSNodeClass, maybe a shared one; `operator_opt_out` keeps a GPU Operator away from nodes of
    AKS's driver. `exact` says that `node_requirements` are all that its NodePool has.
    """

    name: str
    clusters: tuple[str, ...]
    skus: tuple[Sku, ...]
    sizes: tuple[str, ...]
    os: str
    capacity: tuple[str, ...]
    limits: Limits
    nodes: Nodes
    node_pool_name: str | None
    reservation: str | None
    zones: tuple[str, ...]
    placement: str | None
    weight: int | None
    driver: str | None
    device_plugin: bool
    retire: bool
    driver_type: str | None
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
    rdma: str | None
    origin: Origin
    provisioner: str = KARPENTER
    settings: Mapping[str, Any] = {}
    node_class: str = ""
    operator_opt_out: bool = True
    node_requirements: tuple[Mapping[str, Any], ...] = ()
    exact: bool = False
    objects: PoolObjects = PoolObjects()
    metadata: Metadata = Metadata()
    patches: tuple[Patch, ...] = ()

    @property
    def by_karpenter(self) -> bool:
        """Does Karpenter make its nodes? Otherwise they are those of a node pool."""
        return self.provisioner == KARPENTER

    @property
    def windows(self) -> bool:
        """Do its nodes run Windows?"""
        return self.os == "windows"

    @property
    def provable(self) -> tuple[Sku, ...]:
        """The sizes on which a Job may prove the pool: Karpenter starts none whose GPUs Azure's API does not count."""
        usable = (sku for sku in self.skus if sku.counted_gpus or not self.by_karpenter)
        return () if self.windows else tuple(usable)

    def resource(self, sku: Sku) -> str:
        """The extended resource with which pods ask for the GPUs of a node of this size."""
        return DIRECTX if self.windows else sku.resource

    @property
    def manufacturer(self) -> str:
        """Who makes the pool's GPUs; "" if no size fits. A rule checks that all have one manufacturer."""
        return self.skus[0].manufacturer if self.skus else ""

    @property
    def shares(self) -> int:
        """As how many a node advertises one of its GPUs: turns, clients of MPS, or instances of MIG."""
        return self.mig.instances if self.mig and self.mig.single else self.sharing.replicas

    @property
    def only_spot(self) -> bool:
        """Are all nodes of the pool spot nodes?"""
        return self.capacity == ("spot",)

    @property
    def has_spot_taint(self) -> bool:
        """Do all its nodes get the taint of spot nodes? AKS adds it to those of node pools."""
        return self.only_spot and (self.objects.spot_taint or not self.by_karpenter)

    @property
    def os_disk_gb(self) -> int:
        """The size of the OS disk: that of the spec, or the default of an AKSNodeClass."""
        size: int = self.image.get("osDiskGB", OS_DISK_GB)
        return size


class Workload(NamedTuple):
    """A workload that uses GPUs. `pools` are names; `target_kind` and `target_name` the object to patch and scale.

    `mig` is the profile that its pods run on, None for whatever its pools have; `rdma` how many NICs with InfiniBand a
    pod asks for, `job` the spec of the Jobs that are made as work waits, in Kubernetes' words. `clusters` are those on
    which it is as described, where it differs between clusters; None for all that have one of its pools.
    """

    name: str
    namespace: str
    pools: tuple[str, ...]
    target_kind: str
    target_name: str
    container: str
    job: Mapping[str, Any] | None
    gpus: int
    rdma: int
    mig: str | None
    compute_domain: bool
    cuda: str | None
    scaling: Scaling | None
    origin: Origin
    clusters: tuple[str, ...] | None = None
    metadata: Metadata = Metadata()
    patches: tuple[Patch, ...] = ()
