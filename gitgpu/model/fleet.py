"""The spec as frozen values. Defaults are filled in; None means that the author did not set a value."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gitgpu.model.mig import Mig, resource
from gitgpu.model.names.resources import DIRECTX
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

KARPENTER = "nap"  # node auto-provisioning, the default provisioner
AUTOSCALER = "cluster-autoscaler"  # an AKS node pool that the cluster autoscaler scales
FIXED = "fixed"  # an AKS node pool with a constant number of nodes
OS_DISK_GB = 128  # the AKSNodeClass's own default


class Cluster(NamedTuple):
    """One AKS cluster, with the defaults of its ring and of the fleet merged in; `ring` is "" without one.

    With `binpack`, a profile of AKS's scheduler gives GPU pods the node with the fewest free GPUs.
    `values` are chart values, by the name of the chart, lowest precedence first: Fleet, ring, Cluster. `provisioner` is
    the default for its pools. `sku` is base or automatic; `excluded` are the namespaces that AKS Automatic excludes
    from its safeguards.
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
    binpack: bool = False
    sku: str = "base"
    excluded: tuple[str, ...] = ()

    @property
    def brings_karpenter(self) -> bool:
        """Whether it has node auto-provisioning, even without a pool that uses it."""
        return self.is_automatic or self.provisioner == KARPENTER

    @property
    def is_automatic(self) -> bool:
        """Whether it is an AKS Automatic cluster, with managed system node pools and enforced safeguards."""
        return self.sku == "automatic"

    @property
    def azure(self) -> ResourceId | None:
        """The parts of its resource ID, or None if the spec does not set it."""
        return resource_id(self.resource_id) if self.resource_id else None

    @property
    def aks_name(self) -> str:
        """The name of the AKS cluster, which Azure's agents write to every series and record; else the Cluster's."""
        return self.azure.name if self.azure else self.name


class Pool(NamedTuple):
    """A pool of GPU nodes. If it differs between clusters, there is one Pool with the same name for each variant.

    `skus` are the sizes that it may use, and `sizes` the sizes in the spec, () with requirements. `provisioner` is
    its own or that of its clusters, `branch` that of its driver, `driver_type` that of its driver on Windows.
    `device_plugin` says whether gitgpu installs one although other software installs the driver, `retire` whether the
    pool is being removed, and `rdma` how pods access InfiniBand. `disruption`, `kubelet` and `image` keep the keys in
    the spec; `settings` are passed to the AKSNodeClass unchanged. `node_class` is the name of its AKSNodeClass, which
    pools can share. `operator_opt_out` keeps a GPU Operator off nodes with AKS's driver. `exact` says that its NodePool
    has no requirements but `node_requirements`.
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
        """Whether Karpenter creates its nodes. Otherwise they belong to an AKS node pool."""
        return self.provisioner == KARPENTER

    @property
    def windows(self) -> bool:
        """Whether its nodes run Windows."""
        return self.os == "windows"

    @property
    def has_machines(self) -> bool:
        """Whether it is an AKS node pool of single virtual machines, which can have several sizes."""
        return not self.by_karpenter and self.objects.agent_pool.get("type") == "VirtualMachines"

    @property
    def uses_network_operator(self) -> bool:
        """Whether gitgpu sets up its InfiniBand NICs. With `rdma: managed`, AKS does."""
        return self.rdma is not None and not self.has_managed_nics

    @property
    def has_managed_nics(self) -> bool:
        """Whether AKS sets up its InfiniBand NICs, which pods get by ResourceClaim."""
        return self.rdma == "managed"

    @property
    def provable(self) -> tuple[Sku, ...]:
        """The sizes on which a Job can verify the pool. Karpenter starts none whose GPUs Azure's API does not count."""
        usable = (sku for sku in self.skus if sku.counted_gpus or not self.by_karpenter)
        return () if self.windows else tuple(usable)

    def resource(self, sku: Sku) -> str:
        """The extended resource with which pods request the GPUs of a node of this size."""
        return DIRECTX if self.windows else sku.resource

    @property
    def manufacturer(self) -> str:
        """The manufacturer of the pool's GPUs; "" without sizes. A rule checks that all have the same."""
        return self.skus[0].manufacturer if self.skus else ""

    @property
    def shares(self) -> int:
        """How many resources a node advertises for each GPU: time slices, MPS clients or MIG instances."""
        # With the mixed strategy, each profile has a resource of its own.
        return self.mig.instances if self.mig and self.mig.single else self.sharing.replicas

    @property
    def only_spot(self) -> bool:
        """Whether all nodes of the pool are spot nodes."""
        return self.capacity == ("spot",)

    @property
    def has_spot_taint(self) -> bool:
        """Whether all its nodes get the spot taint. AKS adds it to the nodes of node pools."""
        return self.only_spot and (self.objects.spot_taint or not self.by_karpenter)

    @property
    def os_disk_gb(self) -> int:
        """The size of the OS disk: from the spec, or the default of an AKSNodeClass."""
        size: int = self.image.get("osDiskGB", OS_DISK_GB)
        return size


class Workload(NamedTuple):
    """A workload that uses GPUs. `pools` are names; `target_kind` and `target_name` are the object to patch and scale.

    `target_version` is the apiVersion of that object, and `target_group` names its pods that are patched; "" for the
    default of the kind. `container` gets the GPUs.

    `mig` is the profile that its pods use; with None, they use what its pools have. `rdma` is the number of
    InfiniBand NICs that a pod requests, and `job` the Kubernetes spec of the Jobs that are created for waiting work.
    `clusters` are set if the workload differs between clusters: those of this variant. None: all with one of its pools.
    `team` and `priority` are as in the spec; `Inputs.team_of` finds the team of its namespace.
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
    team: str | None = None
    priority: str | None = None
    target_group: str = ""
    target_version: str = ""

    def mig_resource(self, pool: Pool) -> str:
        """The resource of its MIG profile on a pool; "" if it requests GPUs."""
        return resource(self.mig) if self.mig and pool.mig and not pool.mig.single else ""


class Model(NamedTuple):
    """A language model that KAITO runs. `task` is inference, tuning or rag; `settings` keeps the keys in the spec.

    `clusters` are set if the model differs between clusters: those of this variant. None: all with one of its pools.
    """

    name: str
    namespace: str
    pools: tuple[str, ...]
    task: str
    settings: Mapping[str, Any]
    origin: Origin
    clusters: tuple[str, ...] | None = None
    metadata: Metadata = Metadata()
    patches: tuple[Patch, ...] = ()
    team: str | None = None
    priority: str | None = None
