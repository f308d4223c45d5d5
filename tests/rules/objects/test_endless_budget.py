"""NPL012: following the remedy is enough, whatever other budgets there are."""

from gitgpu.diagnostic import Diagnostic, Severity
from tests.rules.objects.samples import conformed

POOL = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec:
  disruption:
    consolidateAfter: 1h
    budgets: [BUDGETS]
  template:
    spec:
      expireAfter: Never
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements: []
---
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: default}
spec: {}
"""
ALWAYS = '{nodes: "0"}'
DRIFTED = '{nodes: "0", reasons: [Drifted]}'
HOURLY = '{nodes: "0", schedule: "@hourly", duration: 1h}'


def diagnostics(*budgets: str) -> list[Diagnostic]:
    """Errors and warnings about a NodePool with these budgets."""
    every = conformed(POOL.replace("BUDGETS", ", ".join(budgets)))
    return [diagnostic for diagnostic in every if diagnostic.severity is not Severity.INFO]


def test_a_budget_that_always_applies_makes_scheduled_ones_redundant() -> None:
    (finding,) = diagnostics(ALWAYS, HOURLY)
    assert finding.code == "NPL012"
    assert finding.help == "remove the scheduled budgets with nodes: 0: /spec/disruption/budgets/0 always applies"
    assert diagnostics(ALWAYS) == []


def test_a_budget_that_always_applies_to_one_reason_does_not_cover_the_others() -> None:
    (finding,) = [diagnostic for diagnostic in diagnostics(DRIFTED, HOURLY) if diagnostic.code == "NPL012"]
    assert (finding.help.startswith("use a shorter duration"), "Empty" in finding.message) == (True, True)
    assert "NPL012" not in [
        diagnostic.code for diagnostic in diagnostics(DRIFTED, HOURLY.replace("duration: 1h", "duration: 50m"))
    ]


def test_without_a_permanent_budget_a_shorter_duration_is_enough() -> None:
    (finding,) = diagnostics(HOURLY)
    assert finding.help.startswith("use a shorter duration")
    assert [
        diagnostic.code for diagnostic in diagnostics(HOURLY.replace("duration: 1h", "duration: 50m"), '{nodes: "10%"}')
    ] == []
