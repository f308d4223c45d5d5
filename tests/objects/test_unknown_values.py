"""Values that Flux substitutes and that are unknown offline: their location, and the object without them."""

import pytest

from gitgpu.objects.grouping.substituted import is_inside, kinds_with_unknown_names, without_values
from gitgpu.objects.objects import Given, Item, identity
from gitgpu.objects.schema.contract import Scope
from gitgpu.source import Pointer, SourceMap, Span
from tests.helping.cases import for_each

BODY = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "metadata": {"name": "${name}", "namespace": "${team}-gpu", "labels": {"team": "${team}"}},
    "data": {"a": "${a}", "b": "known"},
}


@for_each(
    ("pointer", "inside"),
    [("/data/a", True), ("/data/a/x", True), ("/data/ab", False), ("/data", False), ("/metadata/name", False)],
)
def test_places_inside_an_unknown_value(pointer: str, inside: bool) -> None:
    assert is_inside(pointer, [("data", "a")]) is inside


def test_an_object_without_its_unknown_values_keeps_what_identifies_it() -> None:
    holes = [("metadata", "name"), ("metadata", "namespace"), ("metadata", "labels", "team"), ("data", "a")]
    known = without_values(BODY, holes)
    assert known["metadata"] == {"name": "${name}", "namespace": "${team}-gpu", "labels": {}}
    assert known["data"] == {"b": "known"}


def test_unknown_entries_of_a_list_are_left_out() -> None:
    pod = {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{"args": ["a", "${b}", "c"]}, "${container}"]}}
    holes = [("kind",), ("apiVersion",), ("spec", "containers", 0, "args", 1), ("spec", "containers", 1)]
    assert without_values(pod, holes) == {**pod, "spec": {"containers": [{"args": ["a", "c"]}]}}


def test_only_an_unknown_toleration_is_one_of_everything() -> None:
    entry = {"key": "a", "value": "${value}"}
    pod = {"apiVersion": "v1", "kind": "Pod", "spec": {"tolerations": [entry], "env": [entry]}}
    holes = [("spec", "tolerations", 0, "value"), ("spec", "env", 0, "value")]
    spec = {"tolerations": [{"operator": "Exists"}], "env": [{"key": "a"}]}
    assert without_values(pod, holes) == {**pod, "spec": spec}


@pytest.mark.parametrize(
    ("hole", "unknown"),
    [(("metadata", "name"), True), (("metadata", "namespace"), True), (("metadata", "labels", "name"), False)],
)
def test_the_kinds_of_which_an_object_may_have_any_name(hole: Pointer, *, unknown: bool) -> None:
    item = Item(Given(BODY, SourceMap.of(Span("a.yaml", 1, 1))), identity(BODY), Scope.NAMESPACED)
    kinds = kinds_with_unknown_names([item._replace(holes=frozenset({hole}))])
    assert kinds == ({("", "ConfigMap")} if unknown else set())
