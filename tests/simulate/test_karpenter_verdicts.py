"""The simulator compared with recorded decisions of Karpenter's own scheduler, pod by pod and release by release.

What the simulator does differently for a release is about `minValues`. Other cases are compared for one release, in
turn. With GITGPU_VERDICTS=all (`make verdicts`), each case is compared for each release.
"""

import os
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import pytest

from tests.simulate.recorded import Entry, Slip, cases, slips

HERE = Path(__file__).parent / "verdicts"
SHARED = Path(__file__).parents[3] / "shared" / "karpenter-verdicts"
RECORDED = [*sorted(SHARED.glob("*.jsonl")), *sorted(HERE.glob("*.jsonl"))]
SHARE = 100  # cases of a test, so that the tests of a large file are spread over the workers
PARTS = [(path, first) for path in RECORDED for first in range(0, path.read_bytes().count(b"\n"), SHARE)]
EACH_RELEASE = os.environ.get("GITGPU_VERDICTS") == "all"
LEAST = 0.99  # required share of pods of a test with the same result, without those whose reason is known

# Each pod for which the simulator decides differently, by case, and why. No other difference is allowed.
KNOWN: dict[tuple[str, str], str] = {}


@pytest.mark.skipif(not SHARED.is_dir(), reason="the recorded verdicts (../shared/karpenter-verdicts) are not here")
def test_the_shared_verdicts_are_read() -> None:
    assert any(path.parent == SHARED for path in RECORDED)


def compared(entry: Entry, number: int) -> Sequence[str]:
    """The releases for which a case is compared."""
    recorded = list(entry["verdicts"])
    is_each = EACH_RELEASE or "minValues" in str(entry["case"]["nodepools"])
    return recorded if is_each else [recorded[number % len(recorded)]]


@pytest.mark.parametrize(
    ("path", "first"), PARTS, ids=[f"{path.parent.name}/{path.name}-{first}" for path, first in PARTS]
)
def test_pods_are_placed_as_by_karpenter(path: Path, first: int) -> None:
    pods, wrong = 0, list[Slip]()
    for number, entry in enumerate(islice(cases(path), first, first + SHARE), first):
        for release in compared(entry, number):
            pods += len(entry["verdicts"][release][0])
            wrong += slips(entry, release)
    unknown = [slip for slip in wrong if (slip.case, slip.pod) not in KNOWN]
    share = 1 - len(unknown) / pods
    assert share >= LEAST
    assert not unknown, "\n".join([f"{share:.2%} of {pods} pods agree", *map(str, unknown)])
