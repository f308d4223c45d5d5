"""POD047: a rolling update compared with the limits of the NodePool."""

from tests.helping.cases import for_each
from tests.rules.objects.samples import bad_example, conformed

BAD = bad_example("POD047")
SCALED = """---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  triggers: [{type: cron, metadata: {timezone: UTC, start: 0 6 * * *, end: 0 20 * * *, desiredReplicas: "1"}}]
"""
ROLLING = "strategy: {rollingUpdate: {maxSurge: SURGE, maxUnavailable: LOST}}"


def count(text: str) -> int:
    """The number of POD047 findings."""
    return [finding.code for finding in conformed(text)].count("POD047")


def deployment(replicas: str, strategy: str = "", limit: str = "1") -> str:
    """The example with these replicas, this strategy and this limit."""
    lines = f"  replicas: {replicas}\n" + (f"  {strategy}\n" if strategy else "")
    return BAD.replace("  replicas: 1\n", lines).replace(
        "nvidia.com/gpu: 1}\n  disruption", f"nvidia.com/gpu: {limit}}}\n  disruption"
    )


@for_each(
    ("replicas", "strategy", "limit", "expected"),
    [
        ("1", "", "1", 1),
        ("3", "", "3", 1),
        ("4", "", "4", 0),  # by default, one of four may be unavailable
        ("1", "", "2", 0),
        ("2", "", "1", 0),  # over the limit even without an update
        ("0", "", "1", 0),
        ("1", ROLLING.replace("SURGE", "1").replace("LOST", "0"), "1", 1),
        ("1", ROLLING.replace("SURGE", "0").replace("LOST", "1"), "1", 0),
        ("1", ROLLING.replace("SURGE", "25%").replace("LOST", "100%"), "1", 0),
        ("1", "strategy: {type: Recreate}", "1", 0),
        ("1", "strategy: {type: RollingUpdate}", "1", 1),
    ],
)
def test_an_update_needs_spare_gpus(replicas: str, strategy: str, limit: str, expected: int) -> None:
    assert count(deployment(replicas, strategy, limit)) == expected


def test_scaled_and_shared_pods_are_not_counted() -> None:
    assert count(BAD + SCALED) == 0
    assert count(BAD.replace("limits: {nvidia.com/gpu: 1}\n  disruption", "disruption")) == 0


def test_the_remedies_lead_to_a_clean_result() -> None:
    (finding,) = [diagnostic for diagnostic in conformed(BAD) if diagnostic.code == "POD047"]
    assert finding.help == "set spec.strategy: {type: Recreate}, or increase the limit of nvidia.com/gpu to 2"
    assert count(deployment("1", "strategy: {type: Recreate}")) == count(deployment("1", limit="2")) == 0
