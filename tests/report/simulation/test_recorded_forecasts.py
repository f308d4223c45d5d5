"""Forecasts with every kind of verdict, price, node and note, in every format."""

import pytest
from syrupy.assertion import SnapshotAssertion

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.report.findings import Style
from gitgpu.report.html.style import STYLE
from gitgpu.report.simulation.html import Basis, page
from gitgpu.report.simulation.json import as_json
from gitgpu.report.simulation.text import skipped_note, summary, text
from gitgpu.report.simulation.totals import over
from gitgpu.simulate.forecast import Doubt, Forecast, Level, Node, Reason, Running, Share, Verdict
from gitgpu.source import Span

HERE, CHANGE = Span("web.yaml", 3, 5), Span("pools.yaml", 9, 1)
SPOT = Doubt("spot", "spot capacity is not known", decides=False)
OWN = Doubt("near", "only this one", decides=False)
FACT = Doubt("fact", "what a node has is not known")
BASIS = Basis("prod<1>", "0123abc", True, "2026-11-22", "1.2.3")
UNREAD = [Diagnostic("YML001", Severity.ERROR, "cannot be read <here>", "fix it", Span("a.yaml"))]
NONE = Level(0, 0, 0, 0, 0, 0.0, 0.0)


def node(
    pool: str, sku: str, slots: int, *shares: Share, price: float | None = 3.6, maximum: float | None = 3.6
) -> Node:
    """A node with a slot for each GPU."""
    used = sum(share.slots for share in shares)
    return Node(pool, sku, False, ("1",), slots, used, slots, price, maximum, shares)


def verdict(name: str, high: Level, low: Level, number: int | None = None) -> Verdict:
    """A workload in namespace a."""
    return Verdict(
        "Deployment", "a", name, HERE, high, low, ("one",), ("Standard_X",), ("1",), False, (), (), None, number
    )


LOW = (node("one", "Standard_NC24ads_A100_v4", 1, Share(0, 1, 1)),)
HIGH = (
    node("many", "Standard_ND96isr_H100_v5", 8, Share(1, 2, 4), Share(28, 3, 3), price=98.32, maximum=98.32),
    node("many", "Standard_ND96isr_H100_v5", 8, Share(1, 1, 8), price=None, maximum=98.32)._replace(zones=("1", "3")),
    node("one", "Standard_NC24ads_A100_v4", 1, Share(0, 1, 1)),
    node("one", "Standard_NC24ads_A100_v4", 1, price=None, maximum=None)._replace(spot=True, zones=(), exists=True),
    node("part", "Standard_NV6", 12, Share(2, 11, 11))._replace(gpus=1, used=1),
    node("zero", "Standard_NV4ads_V710_v5", 0)._replace(slots=1),
)
VERDICTS = (
    verdict("chat", Level(3, 3, 2, 12, 1, 5.25, 6.5), Level(1, 1, 1, 1, 0, 3.6, 3.6), 0)._replace(
        doubts=(SPOT,),
        pools=("many", "one"),
        skus=("Standard_ND96isr_H100_v5", "Standard_NC24ads_A100_v4"),
        zones=("1", "2"),
    ),
    verdict("fewer", Level(4, 4, 1, 4, 0, 1.0, 1.0), Level(2, 2, 2, 2, 3, 2.0, 2.0), 1)._replace(doubts=(SPOT, OWN)),
    verdict("large", Level(5, 2, 2, 2, 0, None, 1234.5), NONE, 2)._replace(
        reasons=(
            Reason("one", "taint", "it has a taint", "tolerate it", HERE, HERE),
            Reason("", "pools", "no pool has room\nat all", "add one", HERE, CHANGE, 3),
        ),
        together=7,
    ),
    verdict("doubtful", Level(1, 1, 1, 1, 0, None, None), Level(1, 1, 1, 1, 0, None, None), 28)._replace(
        doubts=(FACT,), namespace="", spot=True
    ),
    verdict("refused", Level(1, 0, 0, 0, 0, 0.0, 0.0), Level(1, 0, 0, 0, 0, 0.0, 0.0))._replace(
        pools=(), skus=(), zones=(), reasons=(Reason("", "refused", "it is not valid", "correct it", CHANGE, CHANGE),)
    ),
)
FULL = Forecast("prod", "swedencentral", VERDICTS, LOW, HIGH, 2, ("nodes exist", "line one\nline two"), Running(1, 4))
ALIKE = tuple(node("crowd", "Standard_X", 1, Share(0, 1, 1)) for _ in range(40))
CROWD = Forecast("crowd", "", (VERDICTS[0],), (), (*ALIKE, node("crowd", "Standard_X", 1)), 1)
FORTY = CROWD._replace(cluster="forty", high=ALIKE, low=ALIKE[:1], skipped=0)
EMPTY = Forecast("empty", "eastus", (), (), (), 3, ("nothing asks",))
SETS = {
    "full": [FULL],
    "several": [FULL, CROWD, FORTY, EMPTY],
    "two": [FORTY, EMPTY],
    "nothing": [],
}


@pytest.mark.parametrize("name", SETS)
def test_as_text(name: str, snapshot: SnapshotAssertion) -> None:
    forecasts = SETS[name]
    lines = [text(forecasts, Style()), summary(forecasts), *(over(forecasts, budget) for budget in (1.0, 1e6))]
    assert "\n".join(lines) == snapshot


def test_in_colour(snapshot: SnapshotAssertion) -> None:
    assert text([FULL], Style(colour=True)) == snapshot


@pytest.mark.parametrize("name", SETS)
def test_as_a_page(name: str, snapshot: SnapshotAssertion) -> None:
    made = page(SETS[name], BASIS if name != "two" else Basis(), UNREAD if name != "full" else ())
    assert made.replace(STYLE, "").replace("><", ">\n<") == snapshot


@pytest.mark.parametrize("name", ["full", "several"])
def test_for_programs(name: str, snapshot: SnapshotAssertion) -> None:
    assert as_json(SETS[name], UNREAD if name == "several" else []) == snapshot


def test_what_was_left_out_is_counted() -> None:
    assert skipped_note(1) == "1 file or object could not be read and was skipped"
    assert skipped_note(2) == "2 files or objects could not be read and were skipped"


def test_a_budget_is_exceeded_only_by_a_higher_cost() -> None:
    forecasts = [CROWD._replace(high=(node("a", "x", 1, price=2.5, maximum=2.5),))]
    assert over(forecasts, 2.5) == ""
    assert over(forecasts, 2.49) == "over budget: $2.50/hour; the limit is $2.49/hour"
    unknown = [CROWD._replace(high=(node("a", "x", 1, price=None, maximum=None),))]
    assert over(unknown, 5) == (
        "possibly over budget: $0.00/hour, without pool a, whose price is unknown; the limit is $5.00/hour"
    )
    both = [CROWD._replace(high=(*unknown[0].high, *forecasts[0].high))]
    assert over(both, 1).startswith("over budget: $2.50/hour, without pool a, whose price is unknown; the limit is")
    bound = [CROWD._replace(high=(node("a", "x", 1, price=None, maximum=3.0),))]
    assert (over(bound, 3.0), over(bound, 2.0)) == ("", "over budget: $3.00/hour; the limit is $2.00/hour")
