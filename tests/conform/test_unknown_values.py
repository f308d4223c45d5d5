"""Values that Flux substitutes and that are unknown offline: their location, and the object without them."""

import pytest

from gitgpu.conform.grouping.substituted import is_inside, without_values

BODY = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "metadata": {"name": "${name}", "namespace": "${team}-gpu", "labels": {"team": "${team}"}},
    "data": {"a": "${a}", "b": "known"},
}


@pytest.mark.parametrize(
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
