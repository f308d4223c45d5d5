"""The result of an import: spec documents, and the outcome for each object that was read."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from gitgpu.inventory.observed import Observed
from gitgpu.model.names.kinds import NODE_POOL
from gitgpu.model.sku import Sku
from gitgpu.source import Pointer


class Fate(StrEnum):
    """What the import did with an object or a field."""

    ADOPTED = "adopted"
    LEFT = "left"  # not imported: it is not about GPUs, or another tool manages it
    INEXPRESSIBLE = "not adopted"  # it is about GPUs, but the spec has no key for it: exit status 1
    CHANGED = "changed"  # the first build gives it another value, which harms nothing that runs
    INFERRED = "inferred"  # no document states it; `reason` names the evidence
    WRONG = "wrong already"  # lint reports that it is rejected or never works; `reason` is the code and message


class Ruling(NamedTuple):
    """What the import did with an object or a field, and why, as a clause."""

    fate: Fate
    reason: str


class GpuNodes(NamedTuple):
    """A pool of GPU nodes to adopt: a NodePool or an AKS node pool.

    `name` is the name of the pool and of its GpuPool. `node_class` is the AKSNodeClass that a NodePool references; None
    if it was not read, and for AKS node pools. `skus` are the sizes in the catalog that its nodes can have.
    """

    name: str
    observed: Observed
    node_class: Observed | None
    skus: tuple[Sku, ...]

    @property
    def by_karpenter(self) -> bool:
        """Whether it is a NodePool."""
        return bool(self.observed.body.get("kind") == NODE_POOL.kind)


class SpecDocument(NamedTuple):
    """A spec document to write: kind (Fleet, Cluster, GpuPool, GpuWorkload), name, namespace and spec.

    `spec` has its keys in the usual order, without defaults. `comments` maps a pointer to the comment lines (without
    the comment sign) above that value; the pointer () is the head of the document.
    """

    kind: str
    name: str
    spec: Mapping[str, Any]
    namespace: str = ""
    labels: Mapping[str, str] = {}
    comments: Mapping[Pointer, str] = {}
    annotations: Mapping[str, str] = {}

    @property
    def folder(self) -> str:
        """The folder below `workloads/` of a cluster that contains the patch of this GpuWorkload."""
        return f"{self.namespace}.{self.name}"


class ClusterDocument(NamedTuple):
    """A spec document, and the name of the cluster that it is about; "" for the Fleet."""

    cluster: str
    document: SpecDocument


class Parents(NamedTuple):
    """The documents from which a pool inherits: its Fleet and its Cluster."""

    fleet: SpecDocument
    cluster: SpecDocument


class Destination(NamedTuple):
    """A key in the spec: the kind and the name of its document, and its place in the document.

    `cluster` and `namespace` tell documents of pools and workloads apart that have the same name; "" for others.
    """

    kind: str
    name: str
    pointer: Pointer
    cluster: str = ""
    namespace: str = ""

    @property
    def document(self) -> tuple[str, str, str, str]:
        """The identity of the document."""
        return self.kind, self.cluster, self.namespace, self.name


class Outcome(NamedTuple):
    """What the import did with an object, or with its field at `pointer`.

    `into` is the key in the spec that it became, or None; `reason` is a clause. `decided` is the path of a
    chart value that gitgpu sets itself, starting with the name of the chart.
    """

    observed: Observed
    fate: Fate
    reason: str = ""
    pointer: Pointer = ()
    into: Destination | None = None
    decided: Pointer = ()


class Part(NamedTuple):
    """The result of one part of the import: documents, and outcomes of the objects that it examined."""

    documents: tuple[SpecDocument, ...] = ()
    outcomes: tuple[Outcome, ...] = ()


class RunningChart(NamedTuple):
    """A chart that runs and that the stack installs: the name of its row, and its values, which are at `pointer`.

    `defaults` are those of its version. `configs` has the data of the ConfigMaps that the values name. Without `whole`,
    some values come from elsewhere. `version` is that of the chart, "" if it is not known.
    """

    chart: str
    observed: Observed
    pointer: Pointer
    values: Mapping[str, Any]
    defaults: Mapping[str, Any]
    configs: Mapping[str, Mapping[str, Any]] = {}
    whole: bool = True
    version: str = ""


class StackPart(NamedTuple):
    """The inferred stack of a cluster: keys of `Cluster.spec.stack`, keys of single pools, and outcomes.

    `pools` maps the name of a pool to the keys that it needs in addition to the stack, such as driver and partition.
    `running` are the charts that the stack takes over.
    """

    stack: Mapping[str, Any]
    pools: Mapping[str, Mapping[str, Any]] = {}
    outcomes: tuple[Outcome, ...] = ()
    running: tuple[RunningChart, ...] = ()


class Inferred(NamedTuple):
    """A key of a spec document (kind, name) that no input document states, and the evidence for its value.

    If there is no evidence, the value is `missing`: the one that is written is only valid, and has to be replaced.
    `cluster` is that of a pool, whose name other clusters may have too.
    """

    document: tuple[str, str]
    key: tuple[str, ...]
    reason: str
    missing: bool = False
    cluster: str = ""


class Refused(NamedTuple):
    """An object that its API server or controller rejects, and the finding in words.

    `fate` is INEXPRESSIBLE instead of WRONG if a schema version that gitgpu does not have may allow the object.
    """

    observed: Observed
    reason: str
    fate: Fate = Fate.WRONG


class Adopted(NamedTuple):
    """An imported fleet: its documents, all outcomes, the inferred keys, and the running charts by cluster."""

    documents: tuple[ClusterDocument, ...]
    outcomes: tuple[Outcome, ...]
    inferred: tuple[Inferred, ...] = ()
    running: Mapping[str, tuple[RunningChart, ...]] = {}
