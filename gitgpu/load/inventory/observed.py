"""What was read of running clusters, as frozen values: objects, what applies them, and Azure's side of each cluster."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.diagnostic import Diagnostic, Places
from gitgpu.source import Span


class Owner(NamedTuple):
    """What applies an object, as far as its document says so; `tool` is "" where nothing does.

    `tool` is kubectl, flux, argocd, helm, terraform, az or aks. `name` says which: `Kustomization/flux-system/gpu`,
    `Application/argocd/gpu`, a Terraform address, a field manager.
    """

    tool: str = ""
    name: str = ""


class Observed(NamedTuple):
    """One object of a cluster in the shape of its Kubernetes API, without status and what only a server writes.

    A node pool of AKS has the shape of Azure Service Operator's ManagedClustersAgentPool, a Helm release that of
    `HelmValues` (see `load/values.py`) with its `release`, `namespace` and `version`. `places` finds the values in the
    document that was read, `name` is how that document names the object (`NodePool/gpu`, `node pool gpu`,
    `azurerm_kubernetes_cluster_node_pool.gpu`), `source` the format (see `sources/`). `live` says that a server printed
    it: it has the defaults that the server fills in, and is what runs. `whole` is False where the document computes
    some of its fields; these are left out.
    """

    body: Mapping[str, Any]
    places: Places
    name: str
    source: str
    owner: Owner = Owner()
    live: bool = False
    whole: bool = True


class Azure(NamedTuple):
    """Azure's side of a cluster. None is what the documents do not say.

    `provisioner` is nap or cluster-autoscaler; `network` has the keys of `Cluster.spec.network`; `addons` says of keda,
    kaito, metrics (managed Prometheus) and logs (Container insights) whether AKS runs them. `kubernetes` is a minor
    version, such as 1.34.
    """

    region: str | None = None
    kubernetes: str | None = None
    resource_id: str | None = None
    provisioner: str | None = None
    network: Mapping[str, Any] = {}
    addons: Mapping[str, bool] = {}
    labels: Mapping[str, str] = {}
    span: Span | None = None


class Passed(NamedTuple):
    """Something that was read and is not an object of a cluster to adopt, and why.

    `observed` is the object, if it is one that nothing applies to a known cluster.
    """

    name: str
    span: Span
    reason: str
    observed: Observed | None = None


class ObservedCluster(NamedTuple):
    """One cluster; its name is "" where no document says it."""

    name: str
    azure: Azure
    objects: tuple[Observed, ...]


class Inventory(NamedTuple):
    """All that was read: clusters in order of name, what was passed over, and what is wrong with the documents."""

    clusters: tuple[ObservedCluster, ...]
    passed: tuple[Passed, ...] = ()
    faults: tuple[Diagnostic, ...] = ()

    def objects(self) -> Iterator[Observed]:
        """The objects of all clusters."""
        for cluster in self.clusters:
            yield from cluster.objects
