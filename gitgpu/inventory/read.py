"""Texts to an inventory. Each document is read by the format that recognises it, and all are joined by cluster."""

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from gitgpu import registry
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.inventory import sources
from gitgpu.inventory.combined import together
from gitgpu.inventory.documents import Document, documents
from gitgpu.inventory.joined import ImportOptions, join
from gitgpu.inventory.observed import Azure, Inventory, Observed, ObservedCluster, Skipped
from gitgpu.inventory.secrets import secret_places, without_secrets
from gitgpu.inventory.source import Source
from gitgpu.inventory.unrecognised import unrecognised_document
from gitgpu.load.helm_values import Values
from gitgpu.load.text import Text

# Words in documents that import reads, as Kubernetes, Azure and Terraform spell them.
_DUMP = re.compile(r'karpenter|vm_?size|agent_?pool|managedclusters|azurerm_kubernetes|"apiVersion"', re.IGNORECASE)


class TextInventory(NamedTuple):
    """The inventory of a text, and the names of the formats of its documents."""

    text: Text
    inventory: Inventory
    formats: frozenset[str]


@cache
def all_sources() -> tuple[Source, ...]:
    """Every format, in order of module name."""
    return registry.collect(sources, "SOURCE", Source)


def inventory(texts: Iterable[Text], options: ImportOptions) -> Inventory:
    """The inventory of all texts, by cluster."""
    return join(together(read_text(text, options).inventory for text in texts), options)


def read_text(text: Text, options: ImportOptions) -> TextInventory:
    """The inventory of one text. Its objects are not joined with other texts yet."""
    named = options.named is None or text.name in options.named
    read, faults = documents(text)
    if faults and not named and not _DUMP.search(text.content):
        reason = f"not read: {faults[0].message}"
        return TextInventory(text, Inventory((), (Skipped(text.name, faults[0].span, reason),)), frozenset())
    parts = [read_document(document, named=named) for document in read]
    sources = map(_source, read)
    names = frozenset(source.name for source in sources if source)
    return TextInventory(text, together([*parts, Inventory((), (), tuple(faults))]), names)


def values_inventory(all_values: Iterable[Values]) -> Inventory:
    """Helm values from the command line, with their charts. They name no cluster."""
    return together(_values(values) for values in all_values)


def _values(values: Values) -> Inventory:
    name = f"Helm values of {values.chart}"
    body, skipped = without_secrets(values.body, name, values.places)
    observed = Observed(body, values.places, name, "values", hidden=tuple(secret_places(values.body)))
    return Inventory((ObservedCluster("", Azure(), (observed,)),), skipped)


def _source(document: Document) -> Source | None:
    return next((source for source in all_sources() if source.recognises(document.data)), None)


def read_document(document: Document, *, named: bool) -> Inventory:
    """The inventory of a document. An unknown format is an error if the user names the file, and ignored otherwise."""
    source = _source(document)
    if source:
        return source.reads(document.data, document.places)
    span = document.places.span()
    if document.data in ([], {}) and named:
        remedy = "run the command again, with the resource group and names that you want"
        return Inventory((), (), (Diagnostic("IMP001", Severity.WARNING, "the document is empty", remedy, span),))
    message, remedy = unrecognised_document(document.data)
    if not named:
        return Inventory((), (Skipped(span.file, span, f"{message}: {remedy}"),))
    return Inventory((), (), (Diagnostic("IMP009", Severity.ERROR, message, remedy, span),))
