"""What was read about running clusters, as frozen values: objects, what applies them, and each cluster in Azure."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.diagnostic import Diagnostic, Places
from gitgpu.source import Pointer, Span

DELETING, FAILED = "it is being deleted", "its last operation in Azure failed"  # states of an object


class Owner(NamedTuple):
    """What applies an object, as far as its document says so. `tool` is "" if nothing is known to.

    `tool` is kubectl, flux, argocd, helm, terraform, az or aks. `name` is more specific:
    `Kustomization/flux-system/gpu`, `Application/argocd/gpu`, a Terraform address, a field manager.
    """

    tool: str = ""
    name: str = ""


class Observed(NamedTuple):
    """One object of a cluster in the shape of its Kubernetes API, without status and fields that only a server writes.

    An AKS node pool has the shape of Azure Service Operator's ManagedClustersAgentPool, and a Helm release that of
    `HelmValues` (see `load/helm_values.py`) with `release`, `namespace` and `version`. `places` finds the values in the
    document. `name` is the name of the object there (`NodePool/gpu`, `node pool gpu`,
    `azurerm_kubernetes_cluster_node_pool.gpu`), and `source` the format (see `sources/`). `live` says that a server
    printed it: it has the server's defaults, and is running. `whole` is False if the document computes some of its
    fields; these are omitted. `uid` is the UID that the server gave it, or "". `generated` says that gitgpu wrote the
    file: it is what a fleet wants, not what runs. `state` is DELETING or FAILED, or "".
    `hidden` are the places in its spec or its Helm values whose values may be secret, and which were omitted. `image`
    is the node image of an AKS node pool, such as AKSUbuntu-2204gen2containerd-202607.02.0, or "". `created` is when
    a server created a pool, or "". `exported` says that a program printed it from a cluster, even if what only a server
    writes was removed later.
    """

    body: Mapping[str, Any]
    places: Places
    name: str
    source: str
    owner: Owner = Owner()
    live: bool = False
    whole: bool = True
    uid: str = ""
    generated: bool = False
    state: str = ""
    hidden: tuple[Pointer, ...] = ()
    image: str = ""
    created: str = ""
    exported: bool = False


class Azure(NamedTuple):
    """A cluster in Azure. None stands for facts that the documents do not have.

    `provisioner` is nap or cluster-autoscaler, `sku` base or automatic. `network` has the keys of
    `Cluster.spec.network`. `addons` says whether AKS runs keda, kaito, kueue, metrics (managed Prometheus) and logs
    (Container insights). `kubernetes` is a minor version, such as 1.34; `classes_version` is the newest one that
    AKSNodeClasses report, which follow it. `keeps` says for what the profile of the cluster autoscaler keeps nodes:
    local-storage and system-pods, as far as it is set. `pools` are the names of the node pools in a document that Azure
    printed about the running cluster, and None for other documents. `hosts` are the host names of its API server, and
    `node_groups` the IDs of the resource groups of its nodes, in lower case.
    `excluded` are the namespaces that its deployment safeguards exclude. `makes_pools` says that AKS has created
    NodePools in the running cluster.
    """

    region: str | None = None
    kubernetes: str | None = None
    resource_id: str | None = None
    provisioner: str | None = None
    sku: str | None = None
    network: Mapping[str, Any] = {}
    addons: Mapping[str, bool] = {}
    labels: Mapping[str, str] = {}
    span: Span | None = None
    classes_version: str | None = None
    keeps: Mapping[str, bool] = {}
    pools: frozenset[str] | None = None
    hosts: frozenset[str] = frozenset()
    excluded: tuple[str, ...] | None = None
    makes_pools: bool = False
    node_groups: frozenset[str] = frozenset()


class Skipped(NamedTuple):
    """Something that was read but is not adopted, and why.

    `observed` is the object, if it is one that nothing applies to a known cluster.
    """

    name: str
    span: Span
    reason: str
    observed: Observed | None = None


class ObservedCluster(NamedTuple):
    """One cluster. Its name is "" if no document has it; `folder` is the folder that it comes from, if none has it.

    `server` is the URL of its API server, if Argo CD objects have it.
    """

    name: str
    azure: Azure
    objects: tuple[Observed, ...]
    folder: str = ""
    server: str = ""


class Inventory(NamedTuple):
    """Everything that was read: clusters in order of name, what is not adopted, and faults of the documents."""

    clusters: tuple[ObservedCluster, ...]
    skipped: tuple[Skipped, ...] = ()
    faults: tuple[Diagnostic, ...] = ()

    def objects(self) -> Iterator[Observed]:
        """The objects of all clusters."""
        for cluster in self.clusters:
            yield from cluster.objects
