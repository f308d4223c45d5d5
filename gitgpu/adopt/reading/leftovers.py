"""Documents of manifests that are not Kubernetes objects: read in another format, or named with the reason.

In a directory, documents that say nothing about AKS or GPUs are one line together.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from posixpath import dirname, join

from gitgpu.diagnostic import Severity
from gitgpu.load.inventory.combined import together
from gitgpu.load.inventory.documents import documents
from gitgpu.load.inventory.joined import ImportOptions
from gitgpu.load.inventory.observed import Inventory, Passed
from gitgpu.load.inventory.read import read_document
from gitgpu.load.inventory.unreadable import why_unreadable
from gitgpu.load.manifest.chart_folders import CHART, charts_of
from gitgpu.load.manifest.manifests import Manifests
from gitgpu.load.manifest.objects import is_object
from gitgpu.load.text import Text
from gitgpu.source import Span
from gitgpu.spelling import counted

# Words of texts that may be about GPU nodes. Other files of a repository are none of the import's business.
_ABOUT = re.compile(
    r"gpu|nvidia|karpenter|(?:node|agent)_?pool|vm_?size|standard_n[cdgv]|managedclusters", re.IGNORECASE
)


def leftovers(manifests: Manifests, used: Collection[str], options: ImportOptions) -> Inventory:
    """What is in the documents that are not objects, without the files that are `used` in another way."""
    inventories: list[Inventory] = []
    others: list[Span] = []
    charts: dict[str, Passed] = {}
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


def _chart(folder: str) -> Passed:
    """That the values of a chart in the directory are not read."""
    reason = f"values of a chart are read from the rendered chart: `helm template {folder or '.'} | gitgpu import -`"
    return Passed(f"chart {folder or '.'}", Span(join(folder, CHART), 1, 1), reason)


def _left(text: Text, others: list[Span], *, named: bool) -> Inventory:
    """What the documents of a text say that are not objects; those about something else go to `others`."""
    inventories: list[Inventory] = []
    read, faults = documents(text)
    for document in read:
        if is_object(document.data):  # of a list, perhaps with items that are none
            items = read_document(document, named=named).passed
            inventories.append(Inventory((), tuple(item for item in items if item.name == "item")))
        elif named or _ABOUT.search(str(document.data)):
            inventories.append(read_document(document, named=named))
        else:
            others.append(document.places.span())
    if named or not faults:
        return together(inventories)
    if unreadable := why_unreadable(text):  # of a tool, as people save it: nothing of it is in the fleet
        return Inventory((), (), (unreadable._replace(severity=Severity.WARNING),))
    passed = [Passed(text.name, fault.span, f"not read: {fault.message}") for fault in faults]
    return together([*inventories, Inventory((), tuple(passed))])


def _counted(others: Sequence[Span]) -> Iterator[Passed]:
    if others:
        first = min(others)
        yield Passed(counted(len(others), "document"), first, "not a Kubernetes object, and not related to AKS or GPUs")
