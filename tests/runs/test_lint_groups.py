"""Copies of a group without findings are not checked again; any difference that a rule can see makes a new group."""

from collections.abc import Sequence

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.objects.objects import Delivered, Extent, Given, Item, identity
from gitgpu.objects.schema.contract import Scope
from gitgpu.runs.lint_groups import (
    Prepared,
    batches,
    check_copies,
    check_once,
    division,
    recording_places,
    spread_groups,
)
from gitgpu.source import SourceMap, Span
from tests.helping.cases import for_each


def group(file: str, replicas: object = 1, minor: str = "1.34") -> Prepared:
    """A group of one object in a file."""
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"replicas": replicas}}
    item = Item(Given(body, SourceMap.of(Span(file, 1, 1))), identity(body), Scope.NAMESPACED)
    return Prepared([item], minor, Extent())


def finding(file: str) -> Diagnostic:
    """A finding in a file."""
    return Diagnostic("CNF001", Severity.ERROR, "wrong", "write it", Span(file, 1, 1))


def judged(groups: Sequence[Prepared], *, faulty: bool = False, reading: bool = False) -> tuple[list[str], list[str]]:
    """The files of the groups that were checked, in order, and the files of the findings.

    If `faulty`, rules find something in each group. If `reading`, they read a location.
    """
    seen: list[str] = []
    files = {id(each.items[0].body): each.items[0].given.places.span().file for each in groups}

    def look(prepared: Prepared) -> list[Diagnostic]:
        file = files[id(prepared.items[0].body)]
        seen.append(file)
        if reading:
            prepared.items[0].given.places.span()
        return [finding(file)] if faulty else []

    diagnostics = check_once(groups, lambda every: [check_copies(copies, look) for copies in every])
    return seen, [each.span.file for each in diagnostics]


def test_one_of_several_copies_is_checked() -> None:
    assert judged([group("a"), group("b"), group("c")]) == (["a"], [])


def test_copies_of_a_group_with_findings_have_the_same_findings_in_order() -> None:
    seen, reported = judged([group("a"), group("b", 2), group("c"), group("d")], faulty=True)
    assert sorted(seen) == reported == ["a", "b", "c", "d"]


def test_copies_are_checked_if_rules_read_their_locations() -> None:
    assert judged([group("a"), group("b")], reading=True)[0] == ["a", "b"]


def test_a_difference_that_rules_can_see_makes_another_group() -> None:
    first = group("a")
    (item,) = first.items
    others = [
        *(group("b", True), group("c", 1.0), group("d", "1"), group("e", minor="1.33")),
        first._replace(extent=Extent(closed=True)),
        first._replace(extent=Extent(beyond=frozenset({("", "ConfigMap")}))),
        first._replace(extent=Extent(by_hand=True)),
        *(first._replace(items=[item, item]), first._replace(items=[item._replace(sound=False)])),
        first._replace(items=[item._replace(identity=item.identity._replace(namespace="n"))]),
        first._replace(items=[item._replace(scope=Scope.CLUSTER)]),
        first._replace(items=[item._replace(holes=frozenset({("data",)}))]),
        first._replace(items=[item._replace(renamed="kustomization.yaml\n")]),
        first._replace(items=[item._replace(delivered=Delivered("Kustomization//a", item.body))]),
        first._replace(items=[item._replace(written=item.body)]),
        first._replace(items=[item._replace(given=item.given._replace(patch=True))]),
    ]
    assert len(judged([first, *others])[0]) == 1 + len(others)


def test_groups_with_values_that_are_not_data_are_checked_separately() -> None:
    assert judged([group("a", object()), group("b", object())])[0] == ["a", "b"]


def test_reading_a_location_is_recorded_and_the_location_is_right() -> None:
    places: list[Span] = []

    def look(now: Prepared) -> list[Diagnostic]:
        places.append(now.items[0].given.places.span(("data",), key=True))
        return []

    assert recording_places(group("a"), look) == ([], True)
    assert places == [Span("a", 1, 1)]
    assert recording_places(group("a"), lambda _: []) == ([], False)


def test_items_that_share_their_places_do_so_while_they_are_recording_places() -> None:
    (item,) = group("a").items
    (other,) = group("b").items
    shared: list[bool] = []

    def look(now: Prepared) -> list[Diagnostic]:
        first, second, third = (each.given.places for each in now.items)
        shared.extend((first is second, first is third))
        return []

    recording_places(group("a")._replace(items=[item, item, other]), look)
    assert shared == [True, False]


def test_batches_contain_all_groups_in_order() -> None:
    groups = [group(str(at))._replace(items=[*group(str(at)).items] * 20_000) for at in range(7)]
    parts = list(batches(groups))
    assert [len(batch) for batch in parts] == [3, 3, 1]
    assert [each for batch in parts for each in batch] == groups


@for_each(
    ("sizes", "small", "number"),
    [
        ([199], [0], 1),  # too few objects to share
        ([199, 1], [0, 1], 3),
        ([200, 199], [1], 1),
        ([200, 100, 300, 100], [1, 3], 3),
        ([], [], 1),
    ],
)
def test_processes_share_the_small_groups_if_these_have_many_objects(
    sizes: list[int], small: list[int], number: int
) -> None:
    assert division(sizes, 3) == (small, number)


def test_few_groups_are_not_worth_several_processes() -> None:
    assert division([199] * 149, None)[1] == 1


def test_large_and_small_groups_keep_their_order() -> None:
    groups = [group(str(at))._replace(items=[*group(str(at)).items] * (300 if at % 3 else 1)) for at in range(9)]
    files = [[each] for each in groups]
    seen: list[int] = []
    results = spread_groups(
        files, lambda each: [[finding(each[0].items[0].given.places.span().file)]], 1, frozenset, seen.append
    )
    assert [result[0][0].span.file for result in results] == [str(at) for at in range(9)]
    assert sorted(seen) == [1] * 3 + [300] * 6  # each is counted as soon as it is checked


def test_copies_that_the_same_engine_delivers_are_checked_once() -> None:
    def delivered(file: str, by: str) -> Prepared:
        (item,) = group(file).items
        return group(file)._replace(items=[item._replace(delivered=Delivered(by, item.body))])

    assert judged([delivered("a", "Kustomization/a"), delivered("b", "Kustomization/a")])[0] == ["a"]
    assert judged([delivered("a", "Kustomization/a"), delivered("b", "Kustomization/b")])[0] == ["a", "b"]
