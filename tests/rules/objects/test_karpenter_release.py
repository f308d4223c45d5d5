"""The Karpenter release that lint assumes depends on the date: AKS updates it independently of Kubernetes."""

from dataclasses import replace

from gitgpu.rules.object_findings import object_findings
from tests.helping.cases import for_each
from tests.rules.objects.samples import bad_example, read, shared_norms


@for_each("kubernetes", ["1.34", "1.36"])
@for_each(
    ("today", "outcome"),
    [
        ("", "as of 1.7.2 (2026-03-05), Karpenter does not start nodes for such pods"),
        ("2026-03-05", "as of 1.7.2 (2026-03-05), Karpenter does not start nodes for such pods"),
        (
            "2026-03-04",
            "Karpenter 1.6.8 (2026-02-08) ignores the claims, and starts a node without the claimed devices",
        ),
    ],
)
def test_a_claim_waits_from_the_release_that_rejects_it(kubernetes: str, today: str, outcome: str) -> None:
    diagnostics = object_findings(read(bad_example("POD005")), kubernetes, replace(shared_norms(), today=today))
    (message,) = [finding.message for finding in diagnostics if finding.code == "POD005"]
    assert message == f"the pod has ResourceClaims and waits for a new node: {outcome}"
