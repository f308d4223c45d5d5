"""Pods that the Pod Security level of AKS Automatic rejects."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.gitops.chart_values import chart_row
from gitgpu.objects.node.automatic import excluded_namespaces
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.rules.objects.aks_automatic._baseline import forbidden_settings
from gitgpu.rules.objects.aks_automatic._cluster import (
    FLUX,
    facts,
    pods_of_cluster,
    protected_namespaces,
    releases_of_cluster,
)


def _check(objects: Objects) -> Iterator[Finding]:
    severity = None if excluded_namespaces(objects) is None else Severity.ERROR
    for pod in pods_of_cluster(objects):
        namespace = pod.item.identity.namespace or "default"
        for place, what in forbidden_settings(pod, facts(objects)) if namespace != FLUX else ():
            text, remedy = _words(f"pods with {what}", namespace, objects)
            yield Finding(pod.item, place, text, remedy, severity=severity)
    for release in releases_of_cluster(objects):
        namespace = release.namespace or "default"
        if chart_row(release, objects).get("privileged") and namespace != FLUX:
            text, remedy = _words(f"the privileged pods of chart {release.chart}", namespace, objects)
            yield Finding(release.item, ("metadata", "name"), text, remedy, severity=severity)


def _words(pods: str, namespace: str, objects: Objects) -> tuple[str, str]:
    """The message and the remedy. APL102 says that namespaces of AKS take no pods at all; this, what others do not."""
    is_protected = namespace in protected_namespaces(objects)
    where = " in other namespaces too" if is_protected else ""
    message = f"AKS Automatic rejects {pods}{where}"
    if excluded_namespaces(objects) is None:
        message += ", unless their namespace is excluded"
    name = "NAMESPACE" if is_protected else namespace
    remedy = (
        f"exclude namespace {name} from the policies (az aks safeguards update --excluded-ns {name}), "
        "and add it to lint.excludedNamespaces, or to safeguards.excludedNamespaces of the Cluster"
    )
    return message, f"move it to a NAMESPACE of your own, and {remedy}" if is_protected else remedy


RULE = Rule(
    code="APL103",
    name="pods-below-baseline-of-automatic",
    twin="AUT001",
    severity=Severity.WARNING,
    summary="Pods mount paths of the host, are privileged or the like, and the cluster is an AKS Automatic cluster.",
    help="AKS Automatic enforces the Pod Security level baseline, which forbids that, and the level cannot be lowered. "
    "Device plugins, exporters and drivers need it. Only a namespace can be excluded, which no manifest shows: with "
    "`lint.excludedNamespaces`, or the output of `az aks safeguards show` in the input, this is an error in all other "
    "namespaces. AKS has no such limit for the software of its managed GPU nodes.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/deployment-safeguards.md",
        "https://github.com/Azure/AKS/issues/5442",
        "https://kubernetes.io/docs/concepts/security/pod-security-standards/",
    ),
    facts=("admission/aks-automatic",),
    check=_check,
)
