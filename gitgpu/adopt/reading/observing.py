"""Reads texts of any format: manifests as Kustomize, Flux and Argo CD apply them, all else as it is printed.

Manifests that a server has not printed may come from a repository. They are grouped as in `lint`: each entry point of
Flux or Argo CD is a cluster, patches are applied, and variables are substituted.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from gitgpu.adopt.reading.delivered_clusters import delivered_clusters
from gitgpu.adopt.reading.leftovers import leftovers
from gitgpu.inventory.combined import together
from gitgpu.inventory.joined import ImportOptions, join
from gitgpu.inventory.kubernetes_objects import POOLS
from gitgpu.inventory.observed import Inventory, ObservedCluster, Skipped
from gitgpu.inventory.read import TextInventory, read_text, values_inventory
from gitgpu.inventory.same_objects import identity_of
from gitgpu.load.helm_values import Values
from gitgpu.load.text import Text
from gitgpu.model.names.kinds import group_kind
from gitgpu.objects.delivery.kustomization_names import is_kustomization
from gitgpu.objects.manifest.manifests import Manifests
from gitgpu.source import Span
from gitgpu.spelling import count_text

ReadManifests: TypeAlias = Callable[[Sequence[Text]], Manifests]

# The start of a Kubernetes object, also in a list or in JSON.
_OBJECT = re.compile(r"^(?:- )?[\"']?apiVersion[\"']?\s*:", re.MULTILINE)
_LIVE = re.compile(r"^\s*(?:resourceVersion|uid): ", re.MULTILINE)  # fields that only an API server sets
_KUBERNETES = frozenset({"kubernetes"})
_GENERATED = "written by gitgpu; what runs is read from the other input"  # why an object of overlays is skipped


class _Sorted(NamedTuple):
    """Texts that may be manifests of a repository, and the inventories of the others."""

    manifests: list[Text]
    others: list[Inventory]


def observe_texts(
    texts: Iterable[Text], values: Iterable[Values], options: ImportOptions, read: ReadManifests
) -> Inventory:
    """Everything that the texts say about clusters, joined. `values` are those with a chart on the command line.

    `read` returns the manifests of texts, and of the files that their kustomizations name.
    """
    parts = _sorted(texts, options)
    manifests = read(parts.manifests)
    delivered = delivered_clusters(manifests)
    left = leftovers(manifests, delivered.files, options)
    everything = together([*parts.others, delivered.inventory, left, values_inventory(values)])
    return join(without_generated(everything), options)


def _sorted(texts: Iterable[Text], options: ImportOptions) -> _Sorted:
    """The texts that may be manifests of a repository, and the inventories of all others."""
    parts = _Sorted([], [])
    for text in texts:
        named = options.named is None or text.name in options.named
        if _may_be_manifest(text, named=named):
            parts.manifests.append(text)
            continue
        read = read_text(text, options)
        unknown = not named and not read.formats and not read.inventory.faults and read.inventory.skipped
        if (read.formats == _KUBERNETES and not _is_live(read)) or unknown:
            parts.manifests.append(text)
        else:
            parts.others.append(read.inventory)
    return parts


def _may_be_manifest(text: Text, *, named: bool) -> bool:
    """Whether a text is YAML that no server has printed, and contains objects or is from a directory."""
    start = text.content.lstrip()[:2]
    if not start or (start[0] in "{[" and start != "{{") or _LIVE.search(text.content):
        return False
    return not named or is_kustomization(text.name) or bool(_OBJECT.search(text.content))


def _is_live(read: TextInventory) -> bool:
    return any(observed.live for observed in read.inventory.objects())


def without_generated(inventory: Inventory) -> Inventory:
    """The inventory without the pools of generated files that another file has too, and one note about them.

    If it contains running pools, all objects of generated files are omitted.
    """
    running = any(observed.live and group_kind(observed.body) in POOLS for observed in inventory.objects())
    known = set(_written_by_others(inventory))
    left: set[Span] = set()
    clusters: list[ObservedCluster] = []
    for cluster in inventory.clusters:
        kept = []
        for observed in cluster.objects:
            if observed.generated and (running or (cluster.name, identity_of(observed.body)) in known):
                left.add(observed.places.span())
            else:
                kept.append(observed)
        clusters.append(cluster._replace(objects=tuple(kept)))
    if not left:
        return inventory
    kept_clusters = [each for each in clusters if each.objects or each.azure.region or each.azure.resource_id]
    # A name that only overlays have is the name of the running cluster, if there is no other.
    names = {cluster.name for cluster in clusters if cluster.name}
    note = Skipped(count_text(len(left), "generated object"), min(left), _GENERATED)
    shown = clusters if len(names) == 1 else kept_clusters
    return Inventory(tuple(shown), (*inventory.skipped, note), inventory.faults)


def _written_by_others(inventory: Inventory) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The cluster and the identity of each pool in a file that gitgpu did not write."""
    for cluster in inventory.clusters:
        for observed in cluster.objects:
            if not observed.generated and group_kind(observed.body) in POOLS:
                yield cluster.name, identity_of(observed.body)
