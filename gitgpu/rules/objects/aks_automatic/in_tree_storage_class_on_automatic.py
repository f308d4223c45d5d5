"""A StorageClass with a provisioner of Kubernetes itself, which AKS Automatic rejects."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import STORAGE_CLASS
from gitgpu.objects.node.automatic import is_automatic
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.rules.objects.aks_automatic._cluster import facts


def _check(objects: Objects) -> Iterator[Finding]:
    drivers = facts(objects)["inTreeProvisioners"]
    rejected_items = [item for item in objects.of(*STORAGE_CLASS) if item.body.get("provisioner") in drivers]
    for item in rejected_items if rejected_items and is_automatic(objects) else ():
        provisioner = item.body["provisioner"]
        message = f"AKS Automatic rejects StorageClasses with provisioner {provisioner}"
        yield Finding(
            item, ("provisioner",), message, f"use {drivers[provisioner]}, with the parameters of that driver"
        )


RULE = Rule(
    code="APL112",
    name="in-tree-storage-class-on-automatic",
    severity=Severity.ERROR,
    rejects=True,
    summary="A StorageClass has a provisioner of Kubernetes itself, on an AKS Automatic cluster.",
    help="An admission policy of AKS Automatic rejects StorageClasses without a driver of the Container Storage "
    "Interface. A StorageClass has no namespace that could be excluded.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/deployment-safeguards.md",
        "https://github.com/Azure/azure-policy/blob/f4a50bacae07ddb096943c597669bcae494a6e29/built-in-policies/policyDefinitions/Kubernetes/EnforceCSIDriver.json",
    ),
    facts=("admission/aks-automatic",),
    check=_check,
)
