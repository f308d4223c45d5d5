"""Whether a dump is of one cluster, and of one in Azure: answers about a mixture would be wrong."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import mapping_at, text_at
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.model.names.kinds import NAMESPACE, NODE, group_kind
from gitgpu.source import Span

_OF_NODES = "resource group of nodes"
_SYSTEM = "kube-system"  # its UID is that of the cluster: nothing can delete this namespace
_GROUP = re.compile(r"azure:///subscriptions/[^/]+/resourcegroups/([^/]+)/", re.IGNORECASE)


class Trace(NamedTuple):
    """What says which cluster an object is of: `what` names the kind of trace, and `file` has it."""

    what: str
    value: str
    file: str


def traces(body: Mapping[str, Any], file: str) -> Iterator[Trace]:
    """What an object says about its cluster: the UID of kube-system, the resource group or the cloud of a node."""
    kind = group_kind(body)
    if kind == NAMESPACE and text_at(body, "metadata", "name") == _SYSTEM:
        if uid := text_at(body, "metadata", "uid"):
            yield Trace(f"UID of {_SYSTEM}", uid, file)
    elif kind == NODE:
        provider = text_at(body, "spec", "providerID")
        if group := _GROUP.match(provider):
            yield Trace(_OF_NODES, group[1].lower(), file)
        elif cloud := provider.partition(":")[0].removeprefix("azure"):
            yield Trace("cloud", cloud, file)


def trace_of_az(shown: Any, file: str) -> Iterator[Trace]:
    """What `az aks show` says about the cluster: the resource group of its nodes."""
    if group := text_at(mapping_at(shown), "nodeResourceGroup"):
        yield Trace(_OF_NODES, group.lower(), file)


def cluster_notes(found: Iterable[Trace]) -> Iterator[Diagnostic]:
    """A warning if the dump is of several clusters, and a note if it has nodes that are not in Azure."""
    values: dict[str, dict[str, str]] = {}
    for trace in found:
        values.setdefault(trace.what, {}).setdefault(trace.value, trace.file)
    clouds = values.pop("cloud", {})
    for what, files in sorted(values.items()):  # the UID first: it proves it
        if len(files) > 1:
            shown = ", ".join(f"{value} in {file}" for value, file in [*files.items()][:3])
            message = f"the dump is of {len(files)} clusters, and the answers mix them: the {what} is {shown}"
            yield Diagnostic("DIA002", Severity.WARNING, message, "diagnose each cluster by itself", _place(files))
            break  # the other trace says the same
    if clouds:
        message = f"it has nodes that are not in Azure ({', '.join(clouds)}); gitgpu does not know their sizes and GPUs"
        yield Diagnostic(
            "DIA004", Severity.INFO, message, "leave them out if they are not nodes of AKS", _place(clouds)
        )


def _place(files: Mapping[str, str]) -> Span:
    """The file of the last value: that of the first is where a reader starts."""
    return Span([*files.values()][-1])
