"""keda-kaito-scaler in a different namespace from KEDA."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.gitops.releases import releases
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    namespaces = {release.namespace for release in releases(objects, "keda")}
    if len(namespaces) != 1:
        return  # of several, it is not known which one the scaler is for
    [namespace] = namespaces
    for scaler in releases(objects, "keda-kaito-scaler"):
        if namespace and scaler.namespace and scaler.namespace != namespace:  # "" is set when the release is applied
            message = f"keda-kaito-scaler is in namespace {scaler.namespace}, but KEDA is in {namespace}"
            yield Finding(scaler.item, ("metadata", "name"), message, f"install it in {namespace}")


RULE = Rule(
    code="KAI061",
    name="kaito-scaler-not-in-keda-namespace",
    twin="KTO011",
    severity=Severity.ERROR,
    summary="keda-kaito-scaler is not installed in the KEDA namespace.",
    help="The ClusterTriggerAuthentication of the scaler refers to Secrets in the scaler's namespace, but KEDA reads "
    "Secrets of a cluster-wide authentication in its own namespace. KEDA then cannot connect to the scaler, and "
    "nothing scales.",
    sources=(
        "https://github.com/kaito-project/keda-kaito-scaler/blob/3ce909d4c4250ff30fb4850d0c238e74fd42998d/README.md",
    ),
    check=_check,
)
