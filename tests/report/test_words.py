"""Names, pointers and notes in reports."""

import json

from gitgpu.report.findings import Style
from gitgpu.report.imported import dotted_pointer
from gitgpu.report.same_clusters import title
from gitgpu.report.simulation.json import as_json
from gitgpu.report.simulation.text import text
from tests.helping.cases import for_each
from tests.simulate.worlds import A100, CLASS, deployment, forecast, pool


@for_each(("count", "more"), [(1, ""), (8, ""), (9, " and 1 more cluster"), (2008, " and 2,000 more clusters")])
def test_a_title_names_eight_clusters(count: int, more: str) -> None:
    names = [f"c{number}" for number in range(count)]
    assert title(names) == ", ".join(names[:8]) + more


def test_a_key_with_a_dot_is_quoted_in_a_pointer() -> None:
    assert dotted_pointer(("metadata", "labels", "a.b/c", 0)) == 'metadata.labels."a.b/c".0'


def test_nodes_that_start_together_are_a_note() -> None:
    result = forecast(CLASS, pool("a", A100), deployment("w"))
    [verdict] = result.verdicts
    note = "note: if all replicas start at once, Karpenter may start 3 nodes and remove some later"
    for together in (3, 0):
        shown = text([result._replace(verdicts=(verdict._replace(together=together),))], Style())
        assert (note in shown, "start at once" in shown) == (together == 3, together == 3)


def test_a_region_that_is_not_known_is_null() -> None:
    result = forecast(CLASS, pool("a", A100), deployment("w"))
    for region, shown in (("", None), ("eastus", "eastus")):
        [cluster] = json.loads(as_json([result._replace(region=region)], []))["clusters"]
        assert cluster["region"] == shown
