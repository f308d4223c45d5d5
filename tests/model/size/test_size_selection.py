"""Requirements select every size that is known to meet them, and no other."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.catalog import Catalog
from gitgpu.model.size.size_selection import matching_sizes, plain
from gitgpu.model.sku import Sku
from tests.helping.cases import for_each

CATALOG = Catalog(CatalogFiles())
OBTAINABLE = ("active", "announced", "unknown")
WITH_PARTS: dict[str, Any] = {"gpu": {"fractional": True}}
ALL = matching_sizes(CATALOG, WITH_PARTS)


def chosen(wanted: dict[str, Any]) -> set[str]:
    """The names of the sizes that meet requirements."""
    return {sku.name for sku in matching_sizes(CATALOG, wanted)}


def test_unavailable_sizes_are_never_chosen() -> None:
    names = {sku.name for sku in ALL}
    assert names
    for sku in CATALOG.skus:
        life = sku.lifecycle
        sold = life.status in OBTAINABLE and not (life.date and life.date <= sku.row["verified"])
        can = sold and sku.offer != "left-out" and sku.gpu is not None
        assert (sku.name in names) is can, sku.name


def test_parts_of_a_gpu_are_chosen_only_on_request() -> None:
    assert {sku.name for sku in ALL if not sku.whole}
    assert chosen({}) == {sku.name for sku in ALL if sku.whole}
    assert chosen({"gpu": {"model": ["A10"]}}) < chosen({"gpu": {"model": ["A10"], "fractional": True}})


@for_each(
    ("wanted", "holds"),
    [
        ({"gpu": {"model": ["A100", "h100"]}}, lambda sku: sku.gpu.model in ("A100", "H100")),
        ({"gpu": {"manufacturer": "amd"}}, lambda sku: sku.gpu.manufacturer == "amd"),
        ({"gpu": {"architecture": ["hopper"]}}, lambda sku: sku.gpu.architecture == "Hopper"),
        ({"gpu": {"count": "2..4"}}, lambda sku: sku.gpus is not None and 2 <= sku.gpus <= 4),
        ({"gpu": {"count": "8"}}, lambda sku: sku.gpus == 8),
        ({"gpu": {"memoryGiB": ">=80"}}, lambda sku: sku.gpu.memory_gib >= 80),
        ({"gpu": {"mig": True}}, lambda sku: sku.mig is True),
        ({"gpu": {"nvlink": False}}, lambda sku: sku.nvlink is False),
        ({"vcpus": "<24"}, lambda sku: sku.vcpus is not None and sku.vcpus < 24),
        ({"memoryGiB": ">880"}, lambda sku: sku.memory_gib is not None and sku.memory_gib > 880),
        ({"rdma": True}, lambda sku: sku.rdma is True),
        ({"arch": "arm64"}, lambda sku: sku.arch == "arm64"),
        ({"series": ["ndisr_v5", "NCads_v4"]}, lambda sku: sku.series in ("NDisr_v5", "NCads_v4")),
    ],
)
def test_each_requirement_keeps_the_sizes_that_meet_it(wanted: dict[str, Any], holds: Any) -> None:
    expected = {sku.name for sku in ALL if sku.whole and holds(sku)}
    assert chosen(wanted) == expected
    assert chosen({"vcpus": ">99999"}) == set()


requirements = st.fixed_dictionaries(
    {},
    optional={
        "gpu": st.fixed_dictionaries(
            {},
            optional={
                "model": st.lists(st.sampled_from(["A100", "H100", "T4", "A10", "MI300X"]), min_size=1, unique=True),
                "count": st.sampled_from(["1", ">=2", "1..4", "<8"]),
                "memoryGiB": st.sampled_from([">=40", "<=24", "80..141"]),
                "mig": st.booleans(),
                "fractional": st.booleans(),
            },
        ),
        "vcpus": st.sampled_from([">=24", "<48", "4..96"]),
        "rdma": st.booleans(),
        "arch": st.sampled_from(["amd64", "arm64"]),
    },
)


@given(requirements, requirements)
@settings(max_examples=15, deadline=None)
def test_another_requirement_never_brings_a_size(first: dict[str, Any], other: dict[str, Any]) -> None:
    gpu = {**first.get("gpu", {}), **{k: v for k, v in other.get("gpu", {}).items() if k not in first.get("gpu", {})}}
    gpu["fractional"] = first.get("gpu", {}).get("fractional", False)
    both = {**other, **first, "gpu": gpu}
    assert chosen(both) <= chosen(first)


@given(requirements)
@settings(max_examples=15, deadline=None)
def test_the_choice_is_sorted_and_without_duplicates(wanted: dict[str, Any]) -> None:
    skus = matching_sizes(CATALOG, wanted)
    assert all(isinstance(sku, Sku) for sku in skus)
    names = [sku.name for sku in skus]
    assert names == sorted(set(names))


def test_names_are_compared_as_people_write_them() -> None:
    assert plain("RTX PRO 6000") == plain("rtx-pro-6000") == "rtxpro6000"
    assert plain("H100") != plain("H200")
