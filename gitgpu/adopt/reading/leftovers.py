"""Documents in manifests that are not Kubernetes objects: read in another format, or reported with the reason.

In a directory, documents that are not about AKS or GPUs are reported together in one line.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from posixpath import dirname, join

from gitgpu.diagnostic import Severity
from gitgpu.inventory.combined import together
from gitgpu.inventory.documents import documents
from gitgpu.inventory.joined import ImportOptions
from gitgpu.inventory.observed import Inventory, Skipped
from gitgpu.inventory.read import read_document
from gitgpu.inventory.unreadable import why_unreadable
from gitgpu.load.text import Text
from gitgpu.objects.manifest.chart_folders import CHART, charts_of
from gitgpu.objects.manifest.manifest_file import is_object
from gitgpu.objects.manifest.manifests import Manifests
from gitgpu.source import Span
from gitgpu.spelling import count_text

# Matches texts that may be about GPU nodes. The import ignores other files of a repository.
_ABOUT = re.compile(
    r"gpu|nvidia|karpenter|(?:node|agent)_?pool|vm_?size|standard_n[cdgv]|managedclusters", re.IGNORECASE
)


def leftovers(manifests: Manifests, used: Collection[str], options: ImportOptions) -> Inventory:
    """The inventory of the documents that are not objects, without the files that are `used` in another way."""
    inventories: list[Inventory] = []
    others: list[Span] = []
    charts: dict[str, Skipped] = {}
    folders = charts_of(manifests.texts)
    for name, file in sorted(manifests.files.items()):
        text = manifests.texts[name]
        named = options.named is None or name in options.named
        if name in used or not file.others:
            continue
        if not named and not _ABOUT.search(text.content):
            others += file.others
        elif not named and dirname(name) in folders:
            charts[dirname(name)] = _chart(dirname(name))
        else:
            inventories.append(_left(text, others, named=named))
    return together([*inventories, Inventory((), (*charts.values(), *_counted(others)))])


def _chart(folder: str) -> Skipped:
    """A note that the values of a chart in the directory are not read."""
    reason = f"values of a chart are read from the rendered chart: `helm template {folder or '.'} | gitgpu import -`"
    return Skipped(f"chart {folder or '.'}", Span(join(folder, CHART), 1, 1), reason)


def _left(text: Text, others: list[Span], *, named: bool) -> Inventory:
    """The inventory of the documents in a text that are not objects; places of unrelated ones are added to `others`."""
    inventories: list[Inventory] = []
    read, faults = documents(text)
    for document in read:
        if is_object(document.data):  # a List, perhaps with items that are not objects
            items = read_document(document, named=named).skipped
            inventories.append(Inventory((), tuple(item for item in items if item.name == "item")))
        elif named or _ABOUT.search(str(document.data)):
            inventories.append(read_document(document, named=named))
        else:
            others.append(document.places.span())
    if named or not faults:
        return together(inventories)
    if unreadable := why_unreadable(text):  # saved output of a tool: none of it is in the fleet
        return Inventory((), (), (unreadable._replace(severity=Severity.WARNING),))
    skipped = [Skipped(text.name, fault.span, f"not read: {fault.message}") for fault in faults]
    return together([*inventories, Inventory((), tuple(skipped))])


def _counted(others: Sequence[Span]) -> Iterator[Skipped]:
    if others:
        first = min(others)
        yield Skipped(
            count_text(len(others), "document"), first, "not a Kubernetes object, and not related to AKS or GPUs"
        )
