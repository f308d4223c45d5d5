"""The text output of a simulation."""

import json

from gitgpu.report.findings import Style
from gitgpu.report.simulation.amounts import span
from gitgpu.report.simulation.html import Basis, page
from gitgpu.report.simulation.json import as_json
from gitgpu.report.simulation.text import FALLS, PAIRS, text
from gitgpu.simulate.forecast import Doubt
from tests.helping.cases import for_each
from tests.simulate.worlds import A100, A100X4, CLASS, H100X8, deployment, forecast, pool


@for_each(
    ("values", "expected"),
    [((1, 3), "1..3"), ((2, 2), "2"), ((2, 1), "2 -> 1"), (("<=2.00", "<=1.00", (2.0, 1.0)), "<=2.00 -> <=1.00")],
)
def test_a_falling_value_is_an_arrow_and_not_a_range(values: tuple[object, ...], expected: str) -> None:
    low, high, *numbers = values
    assert span(low, high, of=numbers[0] if numbers else ()) == expected  # type: ignore[arg-type]


def test_a_range_and_an_arrow_are_explained_if_there_is_one() -> None:
    small = pool("z", A100, limits={"nvidia.com/gpu": "1"})
    scaler = {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "w", "namespace": "a"},
        "spec": {"scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "w"}, "maxReplicas": 4},
    }
    result = forecast(CLASS, small, pool("a", A100X4), deployment("w"), scaler)
    assert FALLS not in text([result], Style())
    assert PAIRS in text([result], Style())
    assert PAIRS not in text([forecast(CLASS, pool("a", A100), deployment("w"))], Style())
    nodes = tuple(node._replace(shares=()) for node in result.high)
    fewer = result._replace(low=nodes, high=nodes[:1], verdicts=())
    assert ": 2 -> 1 node, " in text([fewer], Style())
    assert FALLS in text([fewer], Style())
    assert (FALLS in page([result], Basis()), FALLS in page([fewer], Basis())) == (False, True)


def test_notes_are_reported() -> None:
    result = forecast(CLASS, pool("a", A100), deployment("w"))._replace(notes=("mind the gap",))
    assert "\nnote: mind the gap\n" in text([result], Style())
    assert '"notes": [\n        "mind the gap"' in as_json([result], [])


def test_a_note_that_several_workloads_share_is_reported_once() -> None:
    shared, own, decisive = (
        Doubt("spot", "a spot node", decides=False),
        Doubt("near", "own", decides=False),
        Doubt("x", "y"),
    )
    result = forecast(CLASS, pool("a", A100), deployment("v"), deployment("w"))
    first, second = result.verdicts
    reported = result._replace(
        verdicts=(
            first._replace(doubts=(shared, decisive, own)),
            second._replace(doubts=(shared, decisive)),
        )
    )
    document = json.loads(as_json([reported], ()))
    names = [{"cluster": result.cluster, "namespace": "a", "name": name} for name in ("v", "w")]
    assert document["notes"] == [{"kind": "spot", "message": "a spot node", "workloads": names}]
    kinds = [[doubt["kind"] for doubt in workload["doubts"]] for workload in document["workloads"]]
    assert kinds == [["x", "near"], ["x"]]
    assert [workload["certain"] for workload in document["workloads"]] == [False, False]
    for words in (text([reported], Style()), page([reported], Basis())):
        assert words.count("a spot node") == 1
        assert "note (2 workloads: a/v, a/w): a spot node" in words
        assert words.count("uncertain: y") == 2
        assert "note: own" in words


def test_a_note_about_one_workload_on_several_clusters_names_it_once() -> None:
    shared = Doubt("spot", "a spot node", decides=False)
    result = forecast(CLASS, pool("a", A100), deployment("w"))
    reported = result._replace(verdicts=(result.verdicts[0]._replace(doubts=(shared,)),))
    assert "note: a spot node" in text([reported], Style())
    assert json.loads(as_json([reported], ()))["notes"] == []
    assert "note (a/w on 2 clusters): a spot node" in text([reported, reported._replace(cluster="other")], Style())


def test_of_two_upper_bounds_the_larger_one_comes_first() -> None:
    result = forecast(CLASS, pool("h", H100X8), deployment("chat"))
    [node] = result.high
    few, many = node._replace(price=None, maximum=1.5), node._replace(price=None, maximum=60.7)
    assert "1 node, 8 GPUs, up to 60.70 (from 1.50) USD/hour, up to 44,311 (from 1,095) USD/month" in text(
        [result._replace(low=(few,), high=(many,))], Style()
    )
    assert "1 node, 8 GPUs, <=1.50 USD/hour, <=1,095 USD/month" in text(
        [result._replace(low=(few,), high=(few,))], Style()
    )
