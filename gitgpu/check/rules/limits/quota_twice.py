"""A quota is recorded once."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec:
  region: swedencentral
  kubernetesVersion: "1.36"
  quota:
  - {name: Standard NCASv3_T4 Family, limit: 128}
  - {name: standardNCASv3_T4Family, limit: 384}
"""
GOOD = BAD.replace("  - {name: Standard NCASv3_T4 Family, limit: 128}\n", "")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Quotas that a cluster records again, in whatever spelling."""
    for cluster in inputs.clusters:
        first: dict[str, int] = {}
        for index, quota in enumerate(cluster.quota):
            if first.setdefault(quota.key, index) != index:
                span = cluster.origin.span(("spec", "quota", first[quota.key]))
                message = f"{quota.name} is recorded twice; the first is at {span}"
                yield Finding(cluster.origin, ("spec", "quota", index, "name"), message, "keep the one that holds")


RULE = Rule(
    code="QTA004",
    name="quota-twice",
    severity=Severity.ERROR,
    summary="A cluster records the same quota twice.",
    help="Azure has one limit for a family in a region. Case and spaces make no other name: Azure's own interfaces "
    "differ in them.",
    sources=(
        "https://learn.microsoft.com/azure/virtual-machines/quotas",
        "https://learn.microsoft.com/azure/quotas/spot-quota",
        "https://learn.microsoft.com/cli/azure/quota",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
