"""What came of adopting a cluster: documents of the spec, and for each object that was read, what became of it."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from gitgpu.load.inventory.observed import Observed
from gitgpu.model.sku import Sku
from gitgpu.source import Pointer


class Fate(StrEnum):
    """What became of an object or a field."""

    ADOPTED = "adopted"
    LEFT = "left"  # to its owner: it is not about GPUs, or another tool manages it
    INEXPRESSIBLE = "not adopted"  # it is about GPUs, and the spec has no key for it: exit status 1
    INFERRED = "inferred"  # no document says it; `reason` names the evidence
    WRONG = "wrong already"  # a finding of lint says that it is refused or never works; `reason` is its code and text


class GpuNodes(NamedTuple):
    """A pool of GPU nodes that is to be adopted: a NodePool or a node pool of AKS.

    `name` is that of the pool, and of its GpuPool. `node_class` is the AKSNodeClass that a NodePool names; None where
    it was not read, and for node pools of AKS. `skus` are the sizes that its nodes can have, as the catalog knows them.
    """

    name: str
    observed: Observed
    node_class: Observed | None
    skus: tuple[Sku, ...]

    @property
    def by_karpenter(self) -> bool:
        """Is it a NodePool?"""
        return bool(self.observed.body.get("kind") == "NodePool")


class SpecDocument(NamedTuple):
    """A document of the spec to be written: kind (Fleet, Cluster, GpuPool, GpuWorkload), name, namespace and spec.

    `spec` has the keys in the order in which a person writes them, without defaults. `comments` are lines (without the
    sign) that go above the value at a pointer below the document; () is the head of the document.
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
        """The folder below `workloads/` of a cluster that has the patch of a GpuWorkload."""
        return f"{self.namespace}.{self.name}"


class Destination(NamedTuple):
    """A key of the spec: the kind and the name of its document, and its place in the document."""

    kind: str
    name: str
    pointer: Pointer


class Outcome(NamedTuple):
    """What became of an object, or with a `pointer` of one of its fields.

    `into` is the key of the spec that it became, None where there is none; `reason` is a clause for people. `decided`
    is the path of a chart's value that gitgpu sets by itself, below the row of the chart.
    """

    observed: Observed
    fate: Fate
    reason: str = ""
    pointer: Pointer = ()
    into: Destination | None = None
    decided: Pointer = ()


class Part(NamedTuple):
    """What one part of adopting gives: documents, and outcomes of the objects that it has looked at."""

    documents: tuple[SpecDocument, ...] = ()
    outcomes: tuple[Outcome, ...] = ()


class StackPart(NamedTuple):
    """The stack of a cluster as inferred: keys of `Cluster.spec.stack`, settings of single pools by name, outcomes.

    `pools` holds keys that a pool needs beside the stack (driver, sharing, mig), by the name of the pool.
    """

    stack: Mapping[str, Any]
    pools: Mapping[str, Mapping[str, Any]] = {}
    outcomes: tuple[Outcome, ...] = ()


class Inferred(NamedTuple):
    """A key of a document, by kind and name, that no document that was read says, and the evidence."""

    document: tuple[str, str]
    key: tuple[str, ...]
    reason: str


class Refused(NamedTuple):
    """An object that its API server or controller refuses, and the finding in words.

    It is INEXPRESSIBLE instead of WRONG where only the version of its schema that gitgpu has refuses it.
    """

    observed: Observed
    reason: str
    fate: Fate = Fate.WRONG


class Adopted(NamedTuple):
    """A whole fleet: its documents by the cluster that they are about ("" for several), and every outcome."""

    documents: tuple[tuple[str, SpecDocument], ...]
    outcomes: tuple[Outcome, ...]
    inferred: tuple[Inferred, ...] = ()
