"""Objects as they are applied: namespace, name, what applies them, and which are duplicates."""

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gitgpu.objects.delivery.kustomize import By, Part
from gitgpu.objects.grouping.alternatives import applied_identity
from gitgpu.objects.grouping.applied import as_applied, deduplicate, without_applied_patches
from gitgpu.objects.loaded import Loaded
from gitgpu.objects.objects import Delivered, Given, Identity, Item, identity
from gitgpu.objects.same_content import same_content
from gitgpu.objects.schema.contract import Scope
from gitgpu.source import SourceMap, Span
from tests.helping.cases import for_each
from tests.helping.work import lines

FLUX = By("Kustomization/flux-system/gpu")


def item(name: str, file: str = "a.yaml", *, patch: bool = False, by: str = "", **more: Any) -> Item:
    """A ConfigMap in a file."""
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, **more}
    given = Given(body, SourceMap.of(Span(file, 1, 1)), patch)
    return Item(given, identity(body), Scope.NAMESPACED, delivered=Delivered(by, body) if by else None)


def applied(part: Part, scope: Scope, kind: str = "ConfigMap", namespace: str = "") -> tuple[str, str]:
    """The namespace and the name of an object as it is applied."""
    metadata = {"name": "a", **({"namespace": namespace} if namespace else {})}
    body = {"apiVersion": "v1", "kind": kind, "metadata": metadata}
    given = Given(body, SourceMap.of(Span("a.yaml", 1, 1)))
    key = as_applied(Item(given, identity(body), scope), Loaded(body, given.places, "a.yaml"), part).identity
    return key.namespace, key.name


@for_each(
    ("part", "written", "expected"),
    [
        (Part("a.yaml"), "", ""),
        (Part("a.yaml"), "own", "own"),
        (Part("a.yaml", namespace="set"), "", "set"),
        (Part("a.yaml", namespace="set"), "own", "set"),
        (Part("a.yaml", fallback="else"), "", "else"),
        (Part("a.yaml", fallback="else"), "own", "own"),
        (Part("a.yaml", namespace="set", fallback="else"), "", "set"),
    ],
)
def test_the_namespace_of_an_object(part: Part, written: str, expected: str) -> None:
    assert applied(part, Scope.NAMESPACED, namespace=written) == (expected, "a")


def test_the_namespace_of_an_object_without_a_schema_is_only_set_by_a_kustomization() -> None:
    assert applied(Part("a.yaml", fallback="else"), Scope.UNKNOWN) == ("", "a")
    assert applied(Part("a.yaml", namespace="set"), Scope.UNKNOWN) == ("set", "a")
    assert applied(Part("a.yaml", namespace="set", fallback="else"), Scope.CLUSTER) == ("", "a")


@for_each(
    ("written", "namespace", "fallback", "expected"),
    [
        ("own", "", "", "own"),
        ("own", "given", "", "given"),
        ("own", "", "usual", "own"),
        ("", "", "usual", "usual"),
        ("", "given", "usual", "given"),
    ],
)
def test_the_namespace_under_which_definitions_are_compared(
    written: str, namespace: str, fallback: str, expected: str
) -> None:
    part = Part("a.yaml", namespace=namespace, fallback=fallback)
    assert applied_identity(Identity("", "ConfigMap", written, "a"), part).namespace == expected


def test_a_kustomization_renames_a_namespace() -> None:
    assert applied(Part("a.yaml"), Scope.CLUSTER, "Namespace") == ("", "a")
    assert applied(Part("a.yaml", namespace="set"), Scope.CLUSTER, "Namespace") == ("", "set")


def test_an_applied_object_keeps_its_text_before_patches() -> None:
    original, loaded = item("a"), Loaded(dict(item("a").body), SourceMap.of(Span("a.yaml", 1, 1)), "a.yaml")
    assert as_applied(original, loaded, Part("a.yaml")).delivered is None
    assert as_applied(original, loaded, Part("a.yaml", by=FLUX)).delivered == Delivered(FLUX.name, original.body)
    patched = original._replace(written={"kind": "ConfigMap"})
    assert as_applied(patched, loaded, Part("a.yaml", by=FLUX)).delivered == Delivered(FLUX.name, {"kind": "ConfigMap"})


def test_the_file_that_renames_an_object_is_kept() -> None:
    loaded = Loaded(dict(item("a").body), SourceMap.of(Span("a.yaml", 1, 1)), "a.yaml")
    assert as_applied(item("a"), loaded, Part("a.yaml", renamed="k.yaml")).renamed == "k.yaml"


def test_equal_objects_in_two_files_are_duplicates() -> None:
    first, same, null = item("a"), item("a", "b.yaml"), item("a", "c.yaml", data=None)
    assert deduplicate([first, same, null]) == [first]
    other = item("a", "b.yaml", data={"x": "y"})
    assert deduplicate([first, other, item("b", "c.yaml")]) == [first, other, item("b", "c.yaml")]


def test_equal_objects_at_two_places_of_a_file_are_both_kept() -> None:
    first = item("a")
    later = first._replace(given=first.given._replace(places=SourceMap.of(Span("a.yaml", 9, 1))))
    assert deduplicate([first, first, later]) == [first, later]


def test_a_patch_is_a_duplicate_only_of_the_same_patch() -> None:
    patch = item("a", patch=True)
    assert deduplicate([patch, patch, item("a"), item("a", "b.yaml", patch=True)]) == [
        patch,
        item("a"),
        item("a", "b.yaml", patch=True),
    ]


def test_the_first_duplicate_that_something_applies_is_kept() -> None:
    plain, flux, argo = item("a"), item("a", "b.yaml", by="flux"), item("a", "c.yaml", by="argo")
    assert deduplicate([plain, flux, argo]) == [flux]
    assert deduplicate([flux, argo, plain]) == [flux]


def test_a_patch_of_a_known_object_is_not_checked_separately() -> None:
    patched = item("a")._replace(written={"kind": "ConfigMap"})
    patches = [item("a", "p.yaml", patch=True), item("b", "p.yaml", patch=True)]
    assert without_applied_patches([patched, *patches, item("b")]) == [patched, patches[1], item("b")]


def _pairwise(items: list[Item]) -> list[Item]:
    """The same, by comparing every two objects."""
    distinct: list[Item] = []
    for each in items:
        same = next((at for at, other in enumerate(distinct) if _is_same(other, each)), None)
        if same is None:
            distinct.append(each)
        elif each.delivered and not distinct[same].delivered:
            distinct[same] = each
    return distinct


def _is_same(first: Item, other: Item) -> bool:
    if first.identity != other.identity or first.is_patch != other.is_patch:
        return False
    if first.is_patch:
        return first.given == other.given
    span, other_span = first.given.places.span(), other.given.places.span()
    return span == other_span or (span.file != other_span.file and same_content(first.body, other.body))


@st.composite
def _objects(draw: Any) -> Item:
    """One of few objects, at one of few places."""
    data = draw(st.sampled_from([{}, {"data": None}, {"data": {"a": "b"}}, {"data": ["a"]}]))
    file, line = draw(st.sampled_from("abc")), draw(st.integers(1, 3))
    made = item(draw(st.sampled_from("xy")), patch=draw(st.booleans()), by=draw(st.sampled_from(["", "flux"])), **data)
    return made._replace(given=made.given._replace(places=SourceMap.of(Span(file, line, 1))))


def _at(file: str, data: Any, by: str = "") -> Item:
    """An object on the first line of a file."""
    made = item("x", file, by=by, data=data)
    return made._replace(given=made.given._replace(places=SourceMap.of(Span(file, 1, 1))))


@given(st.lists(_objects(), max_size=9))
@example([_at("a", {"a": "b"}), _at("b", {"a": "c"}), _at("b", {"a": "b"}, "flux"), _at("b", {"a": "d"}, "flux")])
@settings(max_examples=100)
def test_duplicates_are_those_of_a_comparison_of_every_two_objects(items: list[Item]) -> None:
    assert deduplicate(items) == _pairwise(items)


@pytest.mark.parametrize("apart", [True, False])
def test_ten_times_the_copies_take_at_most_twelve_times_the_work(apart: bool) -> None:
    def copies(number: int) -> list[Item]:
        made = [item("a", f"{at}.yaml" if apart else "a.yaml", data={"a": "b"}) for at in range(number)]
        return [
            each._replace(given=each.given._replace(places=SourceMap.of(Span(each.given.places.span().file, at, 1))))
            for at, each in enumerate(made, start=1)
        ]

    few, many = copies(50), copies(500)
    assert lines(lambda: deduplicate(many)) <= 12 * lines(lambda: deduplicate(few))
