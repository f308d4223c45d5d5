"""A cluster without an OIDC issuer, but with features that need one."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.version import NUMBERS, minor, version
from gitgpu.objects.node.agent_pools import clusters
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_NEEDS = {
    ("spec", "aiToolchainOperatorProfile", "enabled"): "the KAITO add-on",
    ("spec", "securityProfile", "workloadIdentity", "enabled"): "workload identity",
}


def _check(objects: Objects) -> Iterator[Finding]:
    since = objects.catalog.must("features", "oidc-issuer-by-default")["since"]
    for cluster in clusters(objects):
        issuer = reach(cluster.body, "spec", "oidcIssuerProfile", "enabled")
        used = str(reach(cluster.body, "spec", "kubernetesVersion") or objects.kubernetes)
        if issuer is True or (issuer is None and not _is_old(used, since)):
            continue
        for place, what in _NEEDS.items():
            if reach(cluster.body, *place) is True:
                message = f"{what} needs the cluster's OIDC issuer, which is not enabled"
                yield Finding(cluster, place, message, "set oidcIssuerProfile: {enabled: true}")


def _is_old(used: str, since: str) -> bool:
    # Without a version, it is unknown whether AKS turns the issuer on.
    return NUMBERS.match(used) is not None and version(minor(used)) < version(minor(since))


RULE = Rule(
    code="APL090",
    name="cluster-without-oidc-issuer",
    severity=Severity.ERROR,
    summary="A cluster enables the KAITO add-on or workload identity without an OIDC issuer.",
    help="Both give pods a token that Microsoft Entra ID verifies with the cluster's issuer. AKS enables the issuer by "
    "default for new clusters as of Kubernetes 1.34, but not for older ones.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/ai-toolchain-operator.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/workload-identity-deploy-cluster.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-oidc-issuer.md",
    ),
    facts=("features/oidc-issuer-by-default",),
    check=_check,
)
