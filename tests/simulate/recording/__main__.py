"""Generates the cases and edits, runs Karpenter on them, and writes the results for the tests. Needs Go."""

import json
import sys
from collections.abc import Iterable
from pathlib import Path

from tests.simulate.recording.cases import SHAPES, cases
from tests.simulate.recording.edits import edits
from tests.simulate.recording.facts import written
from tests.simulate.recording.outcomes import packed
from tests.simulate.recording.parts import Body
from tests.simulate.recording.programs import FACTS, OF_AKS, RELEASES, ROOT, answers, built
from tests.simulate.worlds import catalog

RUNS, EDITS = 24, "edits"
DRIFT = ROOT / "tests/compare/drift.jsonl"


def main() -> int:
    """Records every shape, or only the named ones. Returns the exit status."""
    FACTS.write_text(written(catalog()), encoding="utf-8", newline="\n")
    programs = {release: built(release) for release in RELEASES}
    for shape in sys.argv[1:] or [*SHAPES, EDITS]:
        if shape == EDITS:
            _write(DRIFT, _edits(programs[OF_AKS]))
        else:
            _write(FACTS.with_name(f"{shape}.jsonl"), _cases(shape, programs))
    return 0


def _cases(shape: str, programs: dict[str, Path]) -> Iterable[Body]:
    drawn = list(cases(shape, catalog()))
    records = [{"case": case} for case in drawn]
    decided = {
        release: [answer["verdicts"] for answer in answers(program, records, "-runs", str(RUNS))]
        for release, program in programs.items()
    }
    for at, case in enumerate(drawn):
        yield packed(case, {release: verdicts[at] for release, verdicts in decided.items()})


def _edits(program: Path) -> Iterable[Body]:
    decided = answers(program, [{"edit": edit} for edit in edits(catalog())])
    # An edit of a pool that cannot have nodes has no effect.
    return (answer for answer in decided if answer["drift"]["possible"]["nodes"])


def _write(path: Path, lines: Iterable[Body]) -> None:
    texts = [json.dumps(line, separators=(",", ":")) + "\n" for line in lines]
    path.write_text("".join(texts), encoding="utf-8", newline="\n")
    print(f"{path.relative_to(ROOT)}: {len(texts)}")


if __name__ == "__main__":
    sys.exit(main())
