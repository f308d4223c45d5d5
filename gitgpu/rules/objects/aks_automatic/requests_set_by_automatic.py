"""GPU pods whose memory AKS Automatic limits, because they do not say how much they need."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.rules.objects.aks_automatic._cluster import facts, pods_of_cluster
from gitgpu.spelling import join_names


def _check(objects: Objects) -> Iterator[Finding]:
    bounds = facts(objects)["requests"]
    for pod in pods_of_cluster(objects):
        if pod.spec.get("resources") or not any(pod.devices()):
            continue
        for place, container in pod.containers():
            unset = [name for name in bounds if not _is_set(container, name)]
            if unset:
                amounts = join_names([f"{bounds[name]['default']} of {name}" for name in unset])
                message = f"AKS Automatic gives container {container.get('name')} {amounts}, as request and limit"
                remedy = f"set requests or limits of {join_names(unset)} in the container"
                yield Finding(pod.item, place, message, remedy)


def _is_set(container: object, name: str) -> bool:
    return any(reach(container, "resources", kind, name) is not None for kind in ("requests", "limits"))


RULE = Rule(
    code="APL109",
    name="requests-set-by-automatic",
    severity=Severity.WARNING,
    summary="A container of a GPU pod sets no CPU or memory, on an AKS Automatic cluster.",
    help="The deployment safeguards of AKS Automatic set both the request and the limit of such a container. A process "
    "that uses more memory than that is killed.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/deployment-safeguards.md",
        "https://github.com/Azure/AKS/blob/8d1c890900df47080a5a3a0de0ad06da110af845/CHANGELOG.md",
    ),
    facts=("admission/aks-automatic",),
    check=_check,
)
