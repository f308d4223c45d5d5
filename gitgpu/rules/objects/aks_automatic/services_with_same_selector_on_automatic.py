"""Two Services for the same pods and port: AKS Automatic rejects the second."""

from collections.abc import Iterator
from typing import Any

from gitgpu.access import mapping_at, rows
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import SERVICE
from gitgpu.objects.node.automatic import is_automatic
from gitgpu.objects.objects import Item, Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.rules.objects.aks_automatic._cluster import is_checked

_Port = tuple[str, Any]


def _check(objects: Objects) -> Iterator[Finding]:
    seen: dict[tuple[object, ...], Item] = {}
    services = tuple(objects.of(*SERVICE))
    for item in services if services and is_automatic(objects) else ():
        namespace, selector = item.identity.namespace, mapping_at(item.body, "spec", "selector")
        if not selector or not is_checked(item, objects):
            continue
        for port in sorted(_ports(item), key=str):
            other = seen.setdefault((namespace, frozenset(selector.items()), *port), item)
            if other.identity.name != item.identity.name:
                same = f"its selector and port {port[1]} are those of Service {other.identity.name}"
                message = f"AKS Automatic rejects it: {same}"
                remedy = "use one Service, or give the selector of one of them a further label that the pods have"
                yield Finding(item, ("spec", "selector"), message, remedy)
                break


def _ports(item: Item) -> set[_Port]:
    ports = rows(mapping_at(item.body, "spec"), "ports")
    return {(str(port.get("protocol") or "TCP"), port.get("port")) for port in ports}


RULE = Rule(
    code="APL114",
    name="services-with-same-selector-on-automatic",
    severity=Severity.WARNING,
    summary="Two Services of a namespace have the same selector and a port in common, on an AKS Automatic cluster.",
    help="The deployment safeguards of AKS Automatic require unique selectors. A Service for clients and a headless "
    "one for a StatefulSet often have the same selector and port. The text of the policy is not public: it is reported "
    "to reject Services whose selectors and ports overlap.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/deployment-safeguards.md",
        "https://github.com/Azure/azure-policy/blob/f4a50bacae07ddb096943c597669bcae494a6e29/built-in-policies/policyDefinitions/Kubernetes/UniqueServiceSelectors.json",
    ),
    facts=("admission/aks-automatic",),
    check=_check,
)
