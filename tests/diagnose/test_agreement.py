"""`simulate` and `diagnose` read the same dump in the same way, and never disagree."""

from decimal import Decimal

import pytest

from gitgpu.load.text import Text
from gitgpu.objects.manifest.manifests import read_manifests
from gitgpu.runs.simulate import Assumptions, of_manifests
from gitgpu.simulate.forecast import Verdict
from tests.diagnose.states import diagnosed, expected, facts, state_file, verdicts

WITH_NODE = {"fits-now", "waiting-for-node", "stuck-node", "cloud-refused"}
WITHOUT = {"no-pool", "limit", "node-class-not-ready", "stuck-node"}
UNREAD = {"unknown"}  # if the NodePools cannot be read
CLOSED = {"fits-now"}  # on a node that is cordoned, or that preemption empties: both name the node


def simulated(name: str) -> dict[str, Verdict]:
    """The verdict of the simulator on each pod of a state."""
    path = state_file(name)
    pools = read_manifests([Text(path.name, path.read_text(), path.name)])
    assumptions = Assumptions({}, dict[str, Decimal](), "eastus", "1.34")
    forecasts = list(of_manifests(pools, read_manifests([]), facts(), assumptions))
    return {f"{verdict.kind} {verdict.title}": verdict for forecast in forecasts for verdict in forecast.verdicts}


def is_closed(verdict: Verdict) -> bool:
    """Whether the simulator names a node that has room, or gets room, and which other pods do not get."""
    waits = any("the pod waits for preemption" in doubt.message for doubt in verdict.doubts)
    return waits or any(reason.kind == "closed" for reason in verdict.reasons)


def test_pods_are_compared() -> None:
    assert sum("Pod ml/" in pod for name in expected() for pod in simulated(name)) >= 90


@pytest.mark.parametrize("name", expected())
def test_both_say_the_same(name: str) -> None:
    found = verdicts(diagnosed(name))
    for pod, verdict in simulated(name).items():
        if pod.startswith("Pod ") and found.get(pod, "not-started") not in ("not-started", "queued", "suspended"):
            without = (
                WITHOUT | (UNREAD if expected()[name].unread else set()) | (CLOSED if is_closed(verdict) else set())
            )
            allowed = WITH_NODE if verdict.verdict == "schedulable" else without
            assert found[pod] in allowed, (pod, verdict.verdict)
