"""The simulator against recorded decisions of Karpenter's own scheduler, pod by pod."""

from pathlib import Path

import pytest

from tests.simulate.recorded import Slip, cases, slips

HERE = Path(__file__).parent / "verdicts"
SHARED = Path(__file__).parents[3] / "shared" / "karpenter-verdicts"
RECORDED = [*sorted(SHARED.glob("*.jsonl")), *sorted(HERE.glob("*.jsonl"))]
LEAST = 0.99  # of the pods of a file, without those of which the reason is known

_CLUSTER = "no manifest says the name of the node resource group, which kubernetes.azure.com/cluster holds: uncertain"
_DAEMON = "in the recorded cluster no pod of a DaemonSet runs, so its host port is free on nodes that are there"

# What is decided otherwise, by case and pod, and why. Nothing else may be.
KNOWN = {
    ("aliases-02", "p00"): _CLUSTER,
    ("aliases-04", "p01"): _CLUSTER,
    ("aliases-06", "p00"): _CLUSTER,
    ("aliases-06", "p01"): _CLUSTER,
    ("aliases-06", "p03"): _CLUSTER,
    ("aliases-12", "p03"): _CLUSTER,
    ("aliases-12", "p04"): _CLUSTER,
    ("aliases-16", "p00"): _CLUSTER,
    ("aliases-16", "p03"): _CLUSTER,
    ("aliases-17", "p01"): _CLUSTER,
    ("aliases-20", "p02"): _CLUSTER,
    ("aliases-20", "p03"): _CLUSTER,
    ("aliases-21", "p04"): _CLUSTER,
    ("aliases-24", "p02"): _CLUSTER,
    ("ports-02", "p04"): _DAEMON,
    ("ports-03", "p00"): _DAEMON,
    ("ports-03", "p07"): _DAEMON,
    ("ports-09", "p01"): _DAEMON,
    ("ports-22", "p06"): _DAEMON,
    ("ports-23", "p01"): _DAEMON,
}


@pytest.mark.skipif(not SHARED.is_dir(), reason="the recorded verdicts (../shared/karpenter-verdicts) are not here")
def test_the_shared_verdicts_are_read() -> None:
    assert any(path.parent == SHARED for path in RECORDED)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_pods_go_where_karpenter_put_them(path: Path) -> None:
    pods, wrong = 0, list[Slip]()
    for entry in cases(path):
        pods += len(entry["verdicts"][0])
        wrong += slips(entry)
    unknown = [slip for slip in wrong if (slip.case, slip.pod) not in KNOWN]
    share = 1 - len(unknown) / pods
    assert share >= LEAST
    assert not unknown, "\n".join([f"{share:.2%} of {pods} pods agree", *map(str, unknown)])
