"""The algebra of requirements: Karpenter's truth table, and the laws of intersection."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitgpu.model.syntax.requirement import (
    Requirement,
    clash,
    intersect,
    intersection,
    meets,
    requirement,
    undefined_key,
)
from tests.helping.cases import for_each

KEY = "karpenter.azure.com/sku-gpu-count"


def requirement_of(text: str) -> Requirement:
    """A requirement as the tables write it: `In A100`, `NotIn T4`, `Exists`, `Gt 23`."""
    operator, _, values = text.partition(" ")
    return requirement(KEY, operator, values.split(",") if values else ())


INCOMING = ["In A100", "NotIn A100", "Exists", "DoesNotExist", "Gt 23", "Gt 24", "Lte 24", "Lt 8"]
TABLE = {
    "In A100": "yes no yes no no no no no",
    "In 24": "no yes yes no yes no yes no",
    "DoesNotExist": "no yes no yes no no no no",
    "In T4,A100": "yes yes yes no no no no no",
    "Exists": "yes yes yes no yes yes yes yes",
    "NotIn T4": "yes yes yes yes yes yes yes yes",
    "Gte 8": "no yes yes no yes yes yes no",
}
CASES = [
    (existing, incoming, verdict == "yes")
    for existing, row in TABLE.items()
    for incoming, verdict in zip(INCOMING, row.split(), strict=True)
]


@for_each(("existing", "incoming", "expected"), CASES)
def test_the_truth_table(existing: str, incoming: str, expected: bool) -> None:
    assert meets(requirement_of(existing), requirement_of(incoming)) is expected


VALUES = st.lists(st.sampled_from(["1", "2", "8", "24", "A100", "T4"]), max_size=4)
SETS = st.builds(lambda op, values: requirement(KEY, op, values), st.sampled_from(["In", "NotIn"]), VALUES)
BOUNDS = st.builds(
    lambda op, n: requirement(KEY, op, [str(n)]), st.sampled_from(["Gt", "Gte", "Lt", "Lte"]), st.integers(0, 30)
)
ANY = SETS | BOUNDS | st.sampled_from([requirement(KEY, "Exists"), requirement(KEY, "DoesNotExist")])
PROBES = ["0", "1", "2", "8", "9", "24", "30", "A100", "T4", "x"]


@given(ANY, ANY)
def test_an_intersection_takes_what_both_take(a: Requirement, b: Requirement) -> None:
    both = intersection(a, b)
    assert all(both.takes(value) == (a.takes(value) and b.takes(value)) for value in PROBES)


@given(ANY, ANY, ANY)
def test_order_does_not_matter(a: Requirement, b: Requirement, c: Requirement) -> None:
    assert intersection(a, b) == intersection(b, a)
    left, right = intersection(intersection(a, b), c), intersection(a, intersection(b, c))
    assert all(left.takes(value) == right.takes(value) for value in PROBES)
    assert intersect([a, b, c])[KEY].takes("24") == intersect([c, a, b])[KEY].takes("24")


def test_old_names_mean_the_new_ones() -> None:
    assert requirement("beta.kubernetes.io/arch", "In", ["amd64"]).key == "kubernetes.io/arch"


def test_a_clash_names_its_key_and_an_undefined_label_is_named() -> None:
    node = intersect([requirement("a", "In", ["1"]), requirement("b", "In", ["2"])])
    assert clash(node, intersect([requirement("b", "In", ["3"])])) == "b"
    assert clash(node, intersect([requirement("c", "In", ["3"])])) == ""
    assert undefined_key(node, intersect([requirement("c", "In", ["3"])]), frozenset()) == "c"
    assert undefined_key(node, intersect([requirement("c", "NotIn", ["3"])]), frozenset()) == ""
    assert undefined_key(node, intersect([requirement("c", "In", ["3"])]), frozenset({"c"})) == ""


def test_a_bound_that_is_not_a_number_is_an_error() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        requirement(KEY, "Gt", ["many"])


def test_a_bound_replaces_the_exclusions_that_it_covers() -> None:
    assert intersection(requirement_of("NotIn 1"), requirement_of("Gt 5")).operator == "Exists"
