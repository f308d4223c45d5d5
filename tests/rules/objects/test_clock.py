"""Rules about objects that depend on the date: what they report on a given day."""

from dataclasses import replace

import pytest

from gitgpu.rules.object_findings import object_findings
from tests.helping.cases import for_each
from tests.rules.objects.samples import KUBERNETES, read, shared_norms

NODE_CLASS = """
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {{name: gpu}}
spec: {{imageFamily: {family}}}
status: {{kubernetesVersion: {kubernetes}.2}}
"""
CLUSTER = """
apiVersion: containerservice.azure.com/v1api20250801
kind: ManagedCluster
metadata: {{name: contoso, namespace: fleet}}
spec:
  location: swedencentral
  owner: {{name: contoso-rg}}
  kubernetesVersion: "1.34"
  supportPlan: {plan}
"""


def reported(text: str, today: str, code: str) -> list[tuple[str, str]]:
    """The severity and message of each finding of a rule on a day."""
    findings = object_findings(read(text), KUBERNETES, replace(shared_norms(), today=today))
    return [(finding.severity.value, finding.message) for finding in findings if finding.code == code]


@for_each(
    ("today", "family", "kubernetes", "expected"),
    [
        ("", "Ubuntu2204", "1.36", []),
        ("2027-06-30", "Ubuntu2204", "1.36", []),
        ("2027-07-01", "Ubuntu2204", "1.36", ["warning"]),
        ("2027-07-01", "Ubuntu2404", "1.36", []),
        ("2027-07-01", "Ubuntu", "1.36", []),
        ("2027-07-01", "Ubuntu", "1.33", ["warning"]),
        ("2028-04-30", "Ubuntu2204", "1.36", ["error"]),
        ("2025-01-01", "AzureLinux", "1.31", ["error"]),  # the catalog was verified after the images were removed
    ],
)
def test_a_node_image_is_reported_from_the_day_that_it_ends(
    today: str, family: str, kubernetes: str, expected: list[str]
) -> None:
    text = NODE_CLASS.format(family=family, kubernetes=kubernetes)
    assert [severity for severity, _ in reported(text, today, "DRV104")] == expected


FORCED = "AKS upgrades clusters by itself 60 days after the end of platform support"
ENDS = "AKS support for Kubernetes 1.34 ends on"


@for_each(
    ("today", "plan", "expected"),
    [
        ("", "KubernetesOfficial", []),
        ("2026-10-30", "KubernetesOfficial", []),
        ("2026-10-31", "KubernetesOfficial", [f"{ENDS} 2026-11-30; from 2027-06-01 on, {FORCED}"]),
        ("2026-10-31", "AKSLongTermSupport", []),
        ("2026-12-01", "AKSLongTermSupport", []),
        (
            "2027-10-31",
            "AKSLongTermSupport",
            [f"{ENDS} 2027-11-30; as of 2027-06-01, {FORCED} (a fact of 2026-10-25)"],
        ),
    ],
)
def test_a_kubernetes_version_is_reported_from_a_month_before_its_end(
    today: str, plan: str, expected: list[str]
) -> None:
    assert [message for _, message in reported(CLUSTER.format(plan=plan), today, "APL100")] == expected


@pytest.mark.parametrize(("today", "since"), [("2027-05-31", "from 2027-06-01 on"), ("2027-06-01", "as of 2027-06-01")])
def test_a_version_without_support_is_reported_with_the_day_of_forced_upgrades(today: str, since: str) -> None:
    [(_, message)] = reported(CLUSTER.format(plan="KubernetesOfficial"), today, "APL100")
    assert f"; {since}, AKS upgrades clusters by itself 60 days after" in message
