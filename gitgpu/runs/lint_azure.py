"""Lints the output of `az aks` and ARM templates: the rules about AKS clusters and node pools apply to them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from gitgpu.access import has, reach
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.inventory.azure_facts import excluded_namespaces
from gitgpu.inventory.azure_objects import AzureObject, AzureObjects, azure_objects
from gitgpu.model.names.kinds import MANAGED_CLUSTER, group_kind
from gitgpu.objects.items import gather, item_of
from gitgpu.objects.manifest.manifests import Manifests
from gitgpu.objects.node.agent_pools import agent_pools
from gitgpu.objects.norms import Norms
from gitgpu.objects.objects import Extent, Given, Item, Objects
from gitgpu.objects.safeguards import Safeguards
from gitgpu.rules.flawed_objects import diagnose_with_flaws
from gitgpu.rules.object_findings import rule_findings
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Span
from gitgpu.spelling import count_text

_MENTIONS = re.compile("agentpool|managedclusters|vmSize", re.IGNORECASE)
_PREFIXES = ("ADV", "APL", "DRV", "STK")  # of advisories and rules about clusters and node pools
_OF_OPERATOR = frozenset({"APL060", "APL061"})  # about the objects of Azure Service Operator
# Errors about nodes that run. The other errors are about what Azure refuses, and what it prints it has accepted.
_OF_NODES = frozenset({"APL002", "APL003", "APL010", "APL015"})


class AzureFiles(NamedTuple):
    """The files with Azure's resources, and the manifests without them."""

    files: dict[str, AzureObjects]
    manifests: Manifests

    @property
    def clusters(self) -> Iterator[Mapping[str, Any]]:
        """The clusters that Azure or manifests describe. Lint does not read old versions of these manifests itself."""
        for read in self.files.values():
            yield from (each.body for each in read.objects if each.body["kind"] == MANAGED_CLUSTER.kind)
        for file in self.manifests.files.values():
            yield from (loaded.body for loaded in file.objects if group_kind(loaded.body) == MANAGED_CLUSTER)

    def safeguards(self, given: Safeguards | None) -> Safeguards | None:
        """Those of AKS Automatic clusters, with the excluded namespaces if the settings do not have them.

        Files about clusters that exclude different namespaces do not say which ones the manifests are for.
        """
        known_namespaces = {excluded for read in self.files.values() for excluded in read.excluded}
        profiles = [excluded_namespaces(reach(body, "spec", "safeguardsProfile")) for body in self.clusters]
        known_namespaces.update(excluded for excluded in profiles if excluded is not None)
        return (
            Safeguards(*known_namespaces) if given and given.excluded is None and len(known_namespaces) == 1 else given
        )

    def only_automatic(self) -> Safeguards | None:
        """The safeguards of the only cluster in these files, if it is an AKS Automatic cluster."""
        skus = [str(reach(body, "spec", "sku", "name")).lower() for body in self.clusters]
        return self.safeguards(Safeguards()) if skus == ["automatic"] else None

    @property
    def documents(self) -> int:
        """How many clusters and node pools are checked."""
        return sum(len(read.objects) for read in self.files.values())


def azure_files(manifests: Manifests) -> AzureFiles:
    """The files that have only clusters, node pools and safeguards as Azure writes them."""
    files = dict(_read(manifests))
    rest = {name: file for name, file in manifests.files.items() if name not in files}
    return AzureFiles(files, manifests._replace(files=rest))


def _read(manifests: Manifests) -> Iterator[tuple[str, AzureObjects]]:
    for name, file in manifests.files.items():
        is_other = file.others and not (file.objects or file.faults or file.waiting or file.template)
        if is_other and _MENTIONS.search(manifests.texts[name].content):
            read = azure_objects(manifests.texts[name])
            if read:
                yield name, read


def azure_findings(azure: AzureFiles, norms: Norms, kubernetes: str) -> Iterator[Diagnostic]:
    """The findings in each of these files, and a note about what is checked."""
    minor = norms.contracts.clamp(kubernetes)
    for read in azure.files.values():
        items = [_item(each, minor, norms) for each in read.objects]
        live = any(each.live for each in read.objects)
        found = [*filter(partial(_applies, live=live), rule_findings(items, minor, norms, Extent(), advise=True))]
        readable = tuple(item for item in items if item.sound or item.flaws)
        objects = replace(gather((), minor, norms, closed=False), items=readable)
        for finding in found + diagnose_with_flaws([_IGNORED_DRIVERS], objects):
            yield finding._replace(edit=None, pointer="")  # the file has other names, which a fix does not know
    if checked := [name for name, read in azure.files.items() if read.objects or read.unread]:
        yield _note(azure, checked)


def _item(each: AzureObject, minor: str, norms: Norms) -> Item:
    """An object as rules read it: its schema is that of another API, so only values of a wrong type are flaws."""
    item, _ = item_of(Given(each.body, each.places), minor, norms)
    flaws = (flaw._replace(optional=not has(each.body, flaw.pointer)) for flaw in item.flaws if not flaw.at_key)
    kept = frozenset(flaws)
    return item._replace(sound=item.sound or bool(item.flaws and not kept), flaws=kept)


def _ignored_drivers(objects: Objects) -> Iterator[Finding]:
    for pool in agent_pools(objects):
        if pool.manages_gpus[:1] == ("gpuProfile",) and not pool.installs_driver:
            message = "AKS ignores driver: None with managementMode: Managed, and installs the driver"
            remedy = "remove driver, or set managementMode: Unmanaged to install all GPU software yourself"
            yield Finding(pool.item, pool.place("gpuProfile", "driver"), message, remedy)


_IGNORED_DRIVERS = Rule(
    code="LNT018",
    name="ignored-driver",
    severity=Severity.WARNING,
    summary="AKS installs the driver on nodes with managed GPUs, also if their pool says that it does not.",
    help="No object of Azure Service Operator has the property, so this is not among the rules about objects.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/aks-managed-gpu-nodes.md",
    ),
    check=_ignored_drivers,
)


def _applies(finding: Diagnostic, *, live: bool) -> bool:
    if not finding.code.startswith(_PREFIXES) or finding.code in _OF_OPERATOR:
        return False
    return not live or finding.severity is not Severity.ERROR or finding.code in _OF_NODES


def _note(azure: AzureFiles, checked: Sequence[str]) -> Diagnostic:
    unread_spans = sorted(span for read in azure.files.values() for span in read.unread)
    others = len(checked) - 1
    message = "clusters and node pools of Azure: only the rules about AKS clusters and node pools were applied"
    message += f", here and in {count_text(others, 'other file')}" if others else ""
    remedy = "`gitgpu import` reads such files too, and says what a fleet for them would be"
    if unread_spans:
        number = count_text(len(unread_spans), "resource")
        message += f"; what needs values that only a deployment knows was not checked ({number})"
        remedy = "lint the output of `az aks show -o json` to check these as well"
    return Diagnostic(
        "LNT017", Severity.INFO, message, remedy, unread_spans[0] if unread_spans else Span(min(checked), 1, 1)
    )
