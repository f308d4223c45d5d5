"""The keys of chart values: which ones a version reads, and the remedy for those that it does not read."""

from typing import Any

import pytest

from gitgpu.objects.gitops.value_keys import Keys, remedy, unread_paths
from tests.helping.cases import for_each

ROW: dict[str, Any] = {
    "keys": {
        "": ["driver", "toolkit", "gone", "late", "open"],
        "driver": ["enabled", "version", "useNewKernel", "manager"],
        "driver.manager": ["env"],
        "toolkit": ["enabled"],
        "late": ["env"],
    },
    "ranges": {"gone": ["", "24.6.2"], "late": ["25.3.0", ""], "driver.manager": ["24.9.0", ""]},
    "strict": {"": ["25.3.0", ""], "toolkit": ["", ""]},
}
OLD, NEW, ANY = Keys(ROW, "24.6.2"), Keys(ROW, "25.3.0"), Keys(ROW, "")


@for_each(
    ("known", "path", "reads"),
    [
        (OLD, ("gone",), True),
        (Keys(ROW, "24.6.3"), ("gone",), False),
        (NEW, ("late",), True),
        (Keys(ROW, "25.2.9"), ("late",), False),
        (Keys(ROW, "25.2.9"), ("late", "env"), False),
        (ANY, ("gone",), True),
        (ANY, ("late",), True),
        (OLD, ("driver", "manager"), False),
        (OLD, ("driver", "manager", "env"), False),
        (NEW, ("driver", "manager", "env"), True),
        (OLD, ("driver", "version"), True),
    ],
)
def test_a_version_reads_what_is_in_its_range(known: Keys, path: tuple[str, ...], *, reads: bool) -> None:
    assert known.reads(path) is reads


def test_the_keys_of_a_map_are_those_that_the_version_reads() -> None:
    assert OLD.below(()) == {"driver", "toolkit", "gone", "open"}
    assert NEW.below(()) == {"driver", "toolkit", "late", "open"}
    assert OLD.below(("driver",)) == {"enabled", "version", "useNewKernel"}
    assert OLD.below(("open",)) == frozenset()


def test_a_schema_refuses_keys_in_the_versions_that_have_it() -> None:
    assert [known.refuses(()) for known in (OLD, NEW, ANY)] == [False, True, False]
    assert [known.refuses(("toolkit",)) for known in (OLD, NEW)] == [True, True]
    assert not NEW.refuses(("driver",))


def test_in_which_maps_a_version_has_a_key() -> None:
    assert NEW.homes("enabled") == [("driver",), ("toolkit",)]
    assert (OLD.homes("env"), NEW.homes("env")) == ([], [("driver", "manager"), ("late",)])


def test_the_versions_that_read_a_key() -> None:
    assert NEW.span(("gone",)) == ("", "24.6.2")
    assert NEW.span(("driver",)) == ("", "")
    assert NEW.span(("absent",)) is None
    assert NEW.span(("open", "absent")) is None


def test_an_unread_path_is_cut_at_the_first_unknown_key() -> None:
    values = {"driver": {"enabled": True, "extra": {"a": 1}, "none": None}, "open": {"any": 1}, "gone": {}, "late": 1}
    assert list(unread_paths(values, OLD)) == [("driver", "extra"), ("late",)]
    assert list(unread_paths(values, NEW)) == [("driver", "extra")]
    assert list(unread_paths(values, NEW, empty=True)) == [("driver", "extra"), ("gone",)]
    assert list(unread_paths({"x": [], "y": {}, "z": None}, NEW)) == []
    assert list(unread_paths({"x": 1}, NEW, ("toolkit",))) == [("toolkit", "x")]


@for_each(
    ("known", "path", "values", "expected"),
    [
        (NEW, ("driver", "UseNew-Kernel"), {}, "use useNewKernel"),
        (
            NEW,
            ("driver", "use_new_kernel"),
            {"driver": {"useNewKernel": True}},
            "merge it into driver.useNewKernel, which is also set, or remove it",
        ),
        (NEW, ("gone",), {}, "remove it: the chart uses it up to 24.6.2"),
        (OLD, ("late",), {}, "remove it: the chart uses it as of version 25.3.0"),
        (NEW, ("useNewKernel",), {}, "write it as driver.useNewKernel"),
        (NEW, ("driver", "enable"), {}, "use enabled"),
        (NEW, ("driver", "versions"), {}, "use version"),
        (NEW, ("toolkit", "a"), {}, "remove it; the chart reads enabled"),
    ],
)
def test_the_remedy_for_a_key_that_the_chart_does_not_read(
    known: Keys, path: tuple[str, ...], values: dict[str, Any], expected: str
) -> None:
    assert remedy(path, known, values) == expected


@pytest.mark.parametrize(
    ("key", "expected"),
    [("enable", "use enabled"), ("enables", "write it as old.enables"), ("on", "write it as old.on")],
)
def test_a_key_of_another_map_is_advised_only_if_no_key_here_is_nearly_the_same(key: str, expected: str) -> None:
    row = {"keys": {"driver": ["enabled"], "old": [key]}, "ranges": {}, "strict": {}}
    assert remedy(("driver", key), Keys(row, "1.0"), {}) == expected


@pytest.mark.parametrize(("count", "listed"), [(12, True), (13, False)])
def test_a_remedy_lists_a_few_keys(count: int, *, listed: bool) -> None:
    names = [f"key{letter}" for letter in "abcdefghijklm"[:count]]
    advice = remedy(("quota",), Keys({"keys": {"": names}, "ranges": {}, "strict": {}}, "1.0"), {})
    assert advice == (f"remove it; the chart reads {', '.join(names)}" if listed else "remove it")
