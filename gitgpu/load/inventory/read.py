"""Texts to an inventory: each document by the format that recognises it, all joined by cluster."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from gitgpu import registry
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.access import words
from gitgpu.load.inventory import sources
from gitgpu.load.inventory.documents import Document, documents
from gitgpu.load.inventory.joined import Asked, joined
from gitgpu.load.inventory.observed import Azure, Inventory, Observed, ObservedCluster, Passed
from gitgpu.load.inventory.parts import together
from gitgpu.load.inventory.secrets import without_secrets
from gitgpu.load.inventory.source import Source
from gitgpu.load.text import Text
from gitgpu.load.values import Values
from gitgpu.source import Span

_FORMATS = "Kubernetes objects, the JSON of `az aks`, `terraform show -json` or `helm list`, or an ARM template"


class TextInventory(NamedTuple):
    """What a text says, and the names of the formats of its documents."""

    text: Text
    found: Inventory
    formats: frozenset[str]


@cache
def all_sources() -> tuple[Source, ...]:
    """Every format, in order of module name."""
    return registry.collect(sources, "SOURCE", Source)


def inventory(texts: Iterable[Text], asked: Asked) -> Inventory:
    """Everything that the texts say, by cluster."""
    return joined(together(read_text(text, asked).found for text in texts), asked)


def read_text(text: Text, asked: Asked) -> TextInventory:
    """What one text says. Its objects are not joined with those of others yet."""
    named = asked.named is None or text.name in asked.named
    read, faults = documents(text)
    if faults and not named:
        reason = f"not read: {faults[0].message}"
        return TextInventory(text, Inventory((), (Passed(text.name, faults[0].span, reason),)), frozenset())
    formats = [_source(document) for document in read]
    parts = [_read(document, source, named=named) for document, source in zip(read, formats, strict=True)]
    names = frozenset(source.name for source in formats if source)
    return TextInventory(text, together([*parts, Inventory((), (), tuple(faults))]), names)


def values_inventory(given: Iterable[Values]) -> Inventory:
    """Helm values that the command line names with their charts; they name no cluster."""
    return together(_values(values) for values in given)


def _values(values: Values) -> Inventory:
    name = f"Helm values of {values.chart}"
    body, passed = without_secrets(values.body, name, values.places)
    found = Observed(body, values.places, name, "values")
    return Inventory((ObservedCluster("", Azure(), (found,)),), passed)


def _source(document: Document) -> Source | None:
    return next((source for source in all_sources() if source.recognises(document.data)), None)


def _read(document: Document, source: Source | None, *, named: bool) -> Inventory:
    if source:
        return source.reads(document.data, document.places)
    span = document.places.span()
    if not named:
        return Inventory((), (Passed(span.file, span, "not a format that import reads"),))
    return Inventory((), (), tuple(_unrecognised(document, span)))


def _unrecognised(document: Document, span: Span) -> Iterator[Diagnostic]:
    """That nothing is known of a document that was asked for; with what it seems to be."""
    data = document.data
    if data in ([], {}):
        message, remedy = (
            "the document is empty",
            "run the command again, with the resource group and names that you want",
        )
        yield Diagnostic("IMP001", Severity.WARNING, message, remedy, span)
        return
    message, remedy = "not a format that import reads", f"pass {_FORMATS}"
    if isinstance(data, dict) and "deploymentparameters.json" in words(data, "$schema").lower():
        message = "parameters of a deployment, without its template"
        remedy = "pass what runs instead: the output of `az aks show -o json`"
    elif isinstance(data, dict) and isinstance(data.get("deployment"), dict) and "version" in data:
        message = "an export of Pulumi, which import does not read"
        remedy = "pass what runs instead: the output of `az aks show -o json`"
    elif isinstance(data, dict) and not {"apiVersion", "kind"} & set(data):
        remedy = f"pass {_FORMATS}; Helm values with `--values CHART=FILE`"
    yield Diagnostic("IMP009", Severity.ERROR, message, remedy, span)
