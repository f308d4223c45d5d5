"""tests/e2e/scheduler, built with each Karpenter release whose decisions are recorded. Needs Go."""

import json
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from tests.simulate.recording.parts import Body

ROOT = Path(__file__).parents[3]
SOURCE, FACTS = ROOT / "tests/e2e/scheduler", ROOT / "tests/simulate/verdicts/facts.json"
# What each release needs of `go build`. The first one is that of go.mod.
RELEASES: Mapping[str, tuple[str, ...]] = {
    "1.14.0": (),
    "1.14.3": ("-modfile=karpenter-1.14.3.mod", "-tags=karpenter_1_14_3"),
    "1.15.0": ("-modfile=karpenter-1.15.0.mod", "-tags=karpenter_1_14_3"),
}
OF_AKS = next(iter(RELEASES))  # the one that Azure's provider is built on


def built(release: str = OF_AKS) -> Path:
    """The program with a release of Karpenter."""
    program = ROOT / "build" / f"scheduler-{release}"
    subprocess.run(["go", "build", *RELEASES[release], "-o", str(program), "."], cwd=SOURCE, check=True)
    return program


def answers(program: Path, records: Iterable[Body], *options: str) -> Iterator[Body]:
    """The records with what Karpenter decides."""
    lines = "".join(json.dumps(record, separators=(",", ":")) + "\n" for record in records)
    command = [str(program), "-facts", str(FACTS), *options]
    done = subprocess.run(command, input=lines, stdout=subprocess.PIPE, text=True, check=True)
    yield from map(json.loads, done.stdout.splitlines())
