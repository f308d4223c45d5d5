"""Runs Karpenter's controllers in every situation, and writes the objects that they leave. Needs Go."""

import json
import sys
from pathlib import Path

from tests.diagnose.recording.parts import Body
from tests.diagnose.recording.situations import SITUATIONS
from tests.simulate.recording.programs import ROOT, answers, built

RECORDED = Path(__file__).parents[1] / "recorded"
SAMPLES = ROOT / "docs/samples/diagnose"
SHOWN = frozenset({"idle-node-kept-by-budget"})  # in docs/samples


def main() -> int:
    """Records every situation, or only the named ones. Returns the exit status."""
    named = sys.argv[1:] or list(SITUATIONS)
    records = [{"state": {"name": name, **SITUATIONS[name].body}} for name in named]
    for name, answer in zip(named, answers(built(), records), strict=True):
        folder = SAMPLES if name in SHOWN else RECORDED
        (folder / f"{name}.json").write_text(_text(answer["objects"]), encoding="utf-8", newline="\n")
    return 0


def _text(objects: list[Body]) -> str:
    """A list with an object in each line."""
    lines = ",\n".join(json.dumps(body, separators=(",", ":")) for body in objects)
    return f'{{"apiVersion":"v1","kind":"List","items":[\n{lines}\n]}}\n'


if __name__ == "__main__":
    sys.exit(main())
