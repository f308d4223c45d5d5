"""Generates the cases and edits, runs Karpenter on them, and writes the results for the tests. Needs Go."""

import json
import subprocess
import sys
from pathlib import Path

from tests.simulate.recording.cases import SHAPES, cases
from tests.simulate.recording.edits import edits
from tests.simulate.recording.facts import written
from tests.simulate.recording.parts import Body
from tests.simulate.worlds import catalog

RUNS, EDITS = 24, "edits"
NO_NODE = '"possible":{"nodes":0,'  # an edit of a pool that cannot have nodes has no effect
ROOT = Path(__file__).parents[3]
OUT, SOURCE, PROGRAM = ROOT / "tests/simulate/verdicts", ROOT / "tests/e2e/scheduler", ROOT / "build/scheduler"
DRIFT = ROOT / "tests/compare/drift.jsonl"


def main() -> int:
    """Records every shape, or only the named ones. Returns the exit status."""
    (OUT / "facts.json").write_text(written(catalog()), encoding="utf-8", newline="\n")
    subprocess.run(["go", "build", "-o", str(PROGRAM), "."], cwd=SOURCE, check=True)
    for shape in sys.argv[1:] or [*SHAPES, EDITS]:
        if shape == EDITS:
            _record(DRIFT, [{"edit": edit} for edit in edits(catalog())])
        else:
            _record(OUT / f"{shape}.jsonl", [{"case": case} for case in cases(shape, catalog())])
    return 0


def _record(path: Path, records: list[Body]) -> None:
    lines = "".join(json.dumps(record, separators=(",", ":")) + "\n" for record in records)
    command = [str(PROGRAM), "-facts", str(OUT / "facts.json"), "-runs", str(RUNS)]
    done = subprocess.run(command, input=lines, stdout=subprocess.PIPE, text=True, check=True)
    kept = [line for line in done.stdout.splitlines(keepends=True) if NO_NODE not in line]
    path.write_text("".join(kept), encoding="utf-8", newline="\n")
    print(f"{path.relative_to(ROOT)}: {len(kept)}")


if __name__ == "__main__":
    sys.exit(main())
