"""The recorded cases match the seed and the catalog. `make verdicts` records them again."""

import json
from pathlib import Path

from tests.helping.cases import for_each
from tests.simulate.recording.cases import SHAPES, cases
from tests.simulate.recording.edits import edits
from tests.simulate.recording.facts import written
from tests.simulate.recording.outcomes import packed, unpacked, waiting_pods
from tests.simulate.recording.programs import RELEASES
from tests.simulate.worlds import Body, catalog

RECORDED = Path(__file__).parent / "verdicts"
DRIFT = Path(__file__).parents[1] / "compare" / "drift.jsonl"


def lines(shape: str) -> list[Body]:
    """The recorded lines of a shape."""
    return [json.loads(line) for line in (RECORDED / f"{shape}.jsonl").read_text(encoding="utf-8").splitlines()]


def test_the_catalog_has_the_facts_of_the_recording() -> None:
    assert (RECORDED / "facts.json").read_text(encoding="utf-8") == written(catalog()), "run make verdicts"


def test_every_shape_is_recorded() -> None:
    assert sorted(path.stem for path in RECORDED.glob("*.jsonl")) == sorted(SHAPES)


@for_each("shape", SHAPES)
def test_a_case_is_generated_as_it_was_recorded(shape: str) -> None:
    assert [line["case"] for line in lines(shape)] == list(cases(shape, catalog())), "run make verdicts"


def test_an_edit_is_generated_as_it_was_recorded() -> None:
    drawn = {edit["name"]: edit for edit in edits(catalog())}
    records = [json.loads(line) for line in DRIFT.read_text(encoding="utf-8").splitlines()]
    assert [record["edit"] for record in records] == [drawn[record["edit"]["name"]] for record in records], (
        "run make verdicts"
    )
    assert all(record["drift"]["possible"]["nodes"] >= record["drift"]["possible"]["drifted"] for record in records)


@for_each("shape", SHAPES)
def test_each_release_has_outcomes_with_a_verdict_for_each_pending_pod(shape: str) -> None:
    for line in lines(shape):
        waiting = [pod["metadata"]["name"] for pod in waiting_pods(line["case"])]
        by_release = unpacked(line)
        assert list(by_release) == list(RELEASES)
        assert packed(line["case"], by_release) == line
        for outcomes in by_release.values():
            assert outcomes
            for outcome in outcomes:
                assert [verdict["pod"] for verdict in outcome] == waiting
                assert all(verdict["ok"] == bool(verdict["sku"]) for verdict in outcome)
