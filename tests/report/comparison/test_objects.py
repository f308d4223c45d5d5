"""How a plan shows fields that are added or removed together."""

from typing import Any

from gitgpu.compare.nested import nest
from gitgpu.compare.normal_form import flat
from gitgpu.report.comparison.objects import change_lines
from tests.compare.sides import CLASS, POOL, REMOVED, between, context, edited, overlays
from tests.helping.cases import for_each

TAINTS = "spec/template/spec/taints"
BOTH = [{"key": "sku", "value": "gpu", "effect": "NoSchedule"}, {"key": "x", "effect": "NoExecute"}]


def lines(before: Any, after: Any) -> list[str]:
    """The lines about a pool whose taints change."""
    old, new = (overlays([edited(POOL, {TAINTS: taints}), CLASS]) for taints in (before, after))
    [cluster] = between(old, new)
    [change] = cluster.changes
    return list(change_lines(change))


def test_a_list_that_is_added_or_removed_has_a_line_for_each_entry() -> None:
    entries = ["{effect: NoSchedule, key: sku, value: gpu}", "{effect: NoExecute, key: x}"]
    assert lines(REMOVED, BOTH) == ["spec.template.spec.taints:", *(f"  + {entry}" for entry in entries)]
    assert lines(BOTH, REMOVED) == ["spec.template.spec.taints:", *(f"  - {entry}" for entry in entries)]


def test_differing_lines_of_a_text_are_shown_with_one_line_of_context() -> None:
    before = [f"line {at}" for at in range(9)]
    after = [*before[:4], "line 4 new", *before[5:]]
    [cluster] = between(noted(before), noted(after))
    assert [line for change in cluster.changes for line in change_lines(change)] == [
        "metadata.annotations.note:",
        *("  @@ -4,3 +4,3 @@", "   line 3", "  -line 4", "  +line 4 new", "   line 5"),
    ]


def noted(lines: list[str]) -> dict[str, str]:
    """The files of a pool with an annotation of several lines."""
    return overlays([edited(POOL, {"metadata/annotations": {"note": "\n".join(lines)}}), CLASS])


def test_an_entry_of_a_list_is_one_line() -> None:
    path = "spec.template.spec.taints[x:NoExecute]"
    assert lines(BOTH[:1], BOTH) == [f"{path}: (absent) -> {{effect: NoExecute, key: x}}"]


@for_each(
    "value",
    [
        [{"at": at} for at in range(12)],
        {"a.b/c": {"d": 1, "e": {}}, "plain": ["x", "y"]},
        [{"rows": [{"k": [1, 2]}, {"k": []}]}],
        {"initContainers": [{"name": "b", "env": [{"name": "X", "value": "1"}]}, {"name": "c"}]},
    ],
)
def test_paths_lead_back_to_the_value(value: Any) -> None:
    fields = flat({"whole": value}, context().catalog.must("lists", "kubernetes"))
    assert nest((path.removeprefix("whole"), fields[path]) for path in sorted(fields)) == value


def test_entries_with_names_keep_their_order_and_those_with_a_position_are_sorted() -> None:
    for first, second in (("[b]", "[a1]"), ("[a1]", "[b]"), ("[b]", "[1a]"), ("[1a]", "[b]"), ("[9]", "[10]")):
        assert nest([(f"{first}.x", 1), (f"{second}.x", 2)]) == [{"x": 1}, {"x": 2}]
    assert nest([("[10].x", 1), ("[9].x", 2)]) == [{"x": 2}, {"x": 1}]


@for_each("paths", [["."], [".a", ".a[0]"], [".x]", '.y"'], [".x]", ".y"], ["[a]b].c"]])
def test_ambiguous_paths_are_not_changed(paths: list[str]) -> None:
    assert nest((path, 1) for path in paths) == dict.fromkeys(paths, 1)


def test_a_list_that_becomes_a_mapping_stays_a_mapping_of_paths() -> None:
    assert nest([("[x]", 1), (".b", 2)]) == {"[x]": 1, "b": 2}
