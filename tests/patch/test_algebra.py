"""Properties of merging: what is idempotent, when the order matters, and that nothing is changed in place."""

from copy import deepcopy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from gitgpu.emit.places import ChangedPlaces, changed_places, differences
from gitgpu.load.spec.merge_patch import merge_patch
from gitgpu.objects.delivery.jsonpatch import after_operation
from gitgpu.objects.delivery.merge import merge_value
from gitgpu.source import Mark, Pointer, SourceMap, Span
from tests.helping.nested import values_inside

KEYS = st.sampled_from(["a", "b", "c", "d/e", "f~g"])
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(0, 3), st.sampled_from(["x", "y"]))
FULL = st.one_of(st.booleans(), st.integers(0, 3), st.sampled_from(["x", "y"]))


def trees(scalars: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Values of JSON."""
    deeper = lambda below: st.one_of(st.dictionaries(KEYS, below, max_size=3), st.lists(below, max_size=3))  # noqa: E731
    return st.recursive(scalars, deeper, max_leaves=8)


BODIES = st.dictionaries(KEYS, trees(FULL), max_size=4)
PATCHES = st.dictionaries(KEYS, trees(SCALARS), max_size=4)


@given(BODIES, PATCHES)
def test_a_merge_patch_is_idempotent_and_changes_nothing_in_place(body: Any, patch: Any) -> None:
    before = deepcopy((body, patch))
    for merge in (merge_patch, lambda value, change: merge_value(value, change, listed=False)):
        once = merge(body, patch)
        assert merge(once, patch) == once
        assert (body, patch) == before


@given(BODIES, PATCHES, PATCHES)
def test_layers_apply_one_after_the_other_and_the_last_one_decides(body: Any, first: Any, last: Any) -> None:
    patched = merge_patch(merge_patch(body, first), last)
    for key, value in last.items():
        if value is None:
            assert key not in patched
        elif not isinstance(value, dict):
            assert patched[key] == value
    if not set(first) & set(last):
        assert patched == merge_patch(merge_patch(body, last), first)


@given(BODIES, BODIES)
def test_what_is_not_a_difference_is_equal(before: Any, after: Any) -> None:
    changed = dict(differences(before, after))
    assert bool(changed) == (before != after)
    whole = [pointer for pointer, is_whole in changed.items() if is_whole]
    for path in _paths(after):
        value = _at(after, path)
        outside = not any(path[: len(pointer)] == pointer or pointer[: len(path)] == path for pointer in whole)
        assert not outside or _at(before, path) == value


@given(BODIES, PATCHES)
def test_a_value_that_a_patch_writes_is_at_the_patch_and_any_other_at_its_origin(body: Any, patch: Any) -> None:
    start, by = Span("origin", 1, 1), Span("patch", 1, 1)
    after = merge_patch(body, patch)
    places = changed_places(SourceMap.of(start), (body, after), lambda _: (by, by), by)
    assert isinstance(places, ChangedPlaces)
    for key, value in after.items():
        same = key in body and repr(body[key]) == repr(value)  # 0 and false are equal in Python only
        expected = start if same else by
        if not isinstance(value, (dict, list)):
            assert places.span((key,)) == expected
    for key in body.keys() - after.keys():
        assert places.span((key,)) == by


@given(BODIES, st.data())
def test_an_operation_and_its_inverse(body: Any, data: Any) -> None:
    paths = [path for path in _paths(body) if path]
    before = deepcopy(body)
    if paths:
        path = data.draw(st.sampled_from(paths))
        text = "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)
        value = _at(body, path)
        assert after_operation(body, {"op": "test", "path": text, "value": value}) == (body, "")
        removed = after_operation(body, {"op": "remove", "path": text})
        assert removed.refusal == ""
        assert after_operation(removed.value, {"op": "add", "path": text, "value": value}).value == before
        replaced = after_operation(body, {"op": "replace", "path": text, "value": "z"})
        assert _at(replaced.value, path) == "z"
        gone = after_operation(body, {"op": "remove", "path": f"{text}/nothing"})
        assert gone.value == before
        assert gone.refusal
    assert body == before


def _paths(value: Any) -> list[Pointer]:
    return [(), *(path for path, _ in values_inside(value))]


def _at(value: Any, path: Pointer) -> Any:
    for step in path:
        value = value[step]
    return value


def test_places_of_a_document_are_kept_below_a_change() -> None:
    origin = SourceMap("origin", Mark(0, 0), {"a": (Mark(1, 0), Mark(1, 3), None), "b": (Mark(2, 0), Mark(2, 3), None)})
    by = Span("patch", 9, 9)
    places = changed_places(origin, ({"a": 1, "b": 2}, {"a": 1, "b": 3}), lambda _: (by, by), by)
    assert (places.span(("a",)), places.span(("b",))) == (Span("origin", 2, 4), by)


def test_a_new_key_with_null_is_a_difference() -> None:
    assert list(differences({"a": 1}, {"a": 1, "b": None})) == [(("b",), True)]
