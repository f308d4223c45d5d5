"""Draws the cases, lets Karpenter's scheduler decide them, and writes both to tests/simulate/verdicts. Needs Go."""

import json
import subprocess
import sys
from pathlib import Path

from tests.simulate.recording.cases import SHAPES, cases
from tests.simulate.recording.facts import written
from tests.simulate.worlds import catalog

RUNS = 24
ROOT = Path(__file__).parents[3]
OUT, SOURCE, PROGRAM = ROOT / "tests/simulate/verdicts", ROOT / "tests/e2e/scheduler", ROOT / "build/scheduler"


def main() -> int:
    """Records every shape, or those that are named. Returns the exit status."""
    (OUT / "facts.json").write_text(written(catalog()), encoding="utf-8", newline="\n")
    subprocess.run(["go", "build", "-o", str(PROGRAM), "."], cwd=SOURCE, check=True)
    for shape in sys.argv[1:] or SHAPES:
        lines = [json.dumps({"case": one}, separators=(",", ":")) + "\n" for one in cases(shape, catalog())]
        command = [str(PROGRAM), "-facts", str(OUT / "facts.json"), "-runs", str(RUNS)]
        done = subprocess.run(command, input="".join(lines), stdout=subprocess.PIPE, text=True, check=True)
        (OUT / f"{shape}.jsonl").write_text(done.stdout, encoding="utf-8", newline="\n")
        print(f"{shape}: {len(lines)} cases")
    return 0


if __name__ == "__main__":
    sys.exit(main())
