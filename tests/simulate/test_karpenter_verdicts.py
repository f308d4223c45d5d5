"""The simulator compared with recorded decisions of Karpenter's own scheduler, pod by pod and release by release."""

from itertools import islice
from pathlib import Path

import pytest

from tests.simulate.recorded import Slip, cases, slips
from tests.simulate.recording.programs import OF_AKS, RELEASES

HERE = Path(__file__).parent / "verdicts"
SHARED = Path(__file__).parents[3] / "shared" / "karpenter-verdicts"
RECORDED = [*sorted(SHARED.glob("*.jsonl")), *sorted(HERE.glob("*.jsonl"))]
SHARE = 100  # cases of a test, so that the tests of a large file are spread over the workers
PARTS = [
    (release, path, first)
    for path in RECORDED
    for release in (RELEASES if path.parent == HERE else (OF_AKS,))
    for first in range(0, path.read_bytes().count(b"\n"), SHARE)
]
LEAST = 0.99  # required share of pods of a test with the same result, without those whose reason is known

# Each pod for which the simulator decides differently, by case, and why. No other difference is allowed.
KNOWN: dict[tuple[str, str], str] = {}


@pytest.mark.skipif(not SHARED.is_dir(), reason="the recorded verdicts (../shared/karpenter-verdicts) are not here")
def test_the_shared_verdicts_are_read() -> None:
    assert any(path.parent == SHARED for path in RECORDED)


@pytest.mark.parametrize(
    ("release", "path", "first"),
    PARTS,
    ids=[f"{path.parent.name}/{path.name}-{release}-{at}" for release, path, at in PARTS],
)
def test_pods_are_placed_as_by_karpenter(release: str, path: Path, first: int) -> None:
    pods, wrong = 0, list[Slip]()
    for entry in islice(cases(path), first, first + SHARE):
        pods += len(entry["verdicts"][release][0])
        wrong += slips(entry, release)
    unknown = [slip for slip in wrong if (slip.case, slip.pod) not in KNOWN]
    share = 1 - len(unknown) / pods
    assert share >= LEAST
    assert not unknown, "\n".join([f"{share:.2%} of {pods} pods agree", *map(str, unknown)])
