"""MIG layouts: how a GPU can be partitioned, and the names of its instances."""

from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.catalog import Catalog
from gitgpu.model.mig import Layout, Mig, base, fullest, misfit, profiles, resource
from tests.helping.cases import for_each

GPUS = {gpu.name: gpu for gpu in Catalog(CatalogFiles()).gpus if gpu.mig}
H100 = GPUS["H100-80GB-SXM5"]


@for_each("name", GPUS)
def test_each_profile_alone_fills_its_gpu_and_no_more(name: str) -> None:
    gpu = GPUS[name]
    for profile in gpu.mig or {}:
        most = fullest(gpu, profile)
        assert not misfit(gpu, {profile: most}), profile
        assert misfit(gpu, {profile: most + 1}), profile


@for_each(
    "layout",
    [
        {"3g.40gb": 1, "4g.40gb": 1},
        {"3g.40gb": 1, "2g.20gb": 1, "1g.10gb": 2},
        {"2g.20gb": 3, "1g.10gb": 1},
        {"1g.10gb": 6, "1g.10gb+me": 1},
        {"1g.20gb": 3, "1g.10gb": 2},
        {},
    ],
)
def test_layouts_that_nvidia_shows(layout: Layout) -> None:
    assert not misfit(H100, layout)


@for_each(
    ("layout", "why"),
    [
        ({"1g.5gb": 7}, "it has no profile 1g.5gb"),
        ({"1g.10gb": 8}, "it supports 1g.10gb at most 7 times, not 8"),
        ({"1g.10gb+me": 2}, "it supports 1g.10gb+me at most 1 times, not 2"),
        ({"3g.40gb": 2, "1g.10gb": 2}, "it has 7 compute slices, but the layout needs 8"),
        ({"1g.20gb": 4, "1g.10gb": 1}, "it has 8 memory slices, but the layout needs 9"),
    ],
)
def test_layouts_that_do_not_fit(layout: Layout, why: str) -> None:
    assert misfit(H100, layout) == why


def test_resources_under_the_strategies_single_and_mixed() -> None:
    layout = {"1g.10gb+me": 1, "1g.10gb": 6}
    assert Mig("single", ({"1g.10gb": 7},)).resources == {"nvidia.com/gpu"}
    assert Mig("mixed", (layout,)).resources == {"nvidia.com/mig-1g.10gb.me", "nvidia.com/mig-1g.10gb"}
    assert Mig("mixed", (layout, {})).resources >= {"nvidia.com/gpu"}


def test_a_name_distinguishes_layouts_and_is_a_label_value() -> None:
    layouts = [({"1g.10gb": 7},), ({"1g.10gb": 6, "1g.10gb+me": 1},), ({"1g.10gb": 7}, {}), ({}, {"1g.10gb": 7})]
    names = [Mig("mixed", layout).name for layout in layouts]
    assert names[:2] == ["7x1g.10gb", "6x1g.10gb_1x1g.10gb.me"]
    assert len(set(names)) == len(names)
    assert all(len(name) <= 63 and "+" not in name for name in names)


def test_profiles_are_those_of_all_gpus() -> None:
    assert profiles([H100, GPUS["A100-80GB-PCIe"]])[0] == "1g.10gb"
    assert not profiles([H100, GPUS["H200-141GB-SXM5"]])


def test_what_a_node_offers() -> None:
    whole = Mig("mixed", ({"1g.10gb": 7}, {}, {"3g.40gb": 2, "1g.10gb": 1}))
    assert [whole.count_instances(3, profile) for profile in ("", "1g.10gb", "3g.40gb", "7g.80gb")] == [1, 8, 2, 0]
    assert whole.resources == {"nvidia.com/gpu", "nvidia.com/mig-1g.10gb", "nvidia.com/mig-3g.40gb"}
    every = Mig("mixed", ({"1g.10gb+me": 1, "3g.40gb": 2},))
    assert [every.count_instances(4, profile) for profile in ("", "1g.10gb+me", "1g.10gb.me", "3g.40gb")] == [
        0,
        4,
        4,
        8,
    ]
    assert (every.instances, every.single, every.name) == (3, False, "1x1g.10gb.me_2x3g.40gb")
    single = Mig("single", ({"1g.10gb": 7},))
    assert (single.count_instances(2, ""), sorted(single.resources), single.name) == (
        14,
        ["nvidia.com/gpu"],
        "7x1g.10gb",
    )
    assert whole.name.startswith("layout-")
    assert len(whole.name) == len("layout-") + 8
    assert whole.name != Mig("mixed", (*whole.layouts[1:], whole.layouts[0])).name


def test_profiles_by_name() -> None:
    assert fullest(H100, "1g.5gb") == 0
    assert fullest(H100._replace(mig=None), "1g.10gb") == 0
    assert (resource(""), resource("1g.10gb+me")) == ("nvidia.com/gpu", "nvidia.com/mig-1g.10gb.me")
    names = ("3g.40gb", "1c.3g.40gb", "3g.40gb+me", "1g.10gb-me", "1c.2g.20gb+me", "c.x")
    assert [base(name) for name in names] == ["3g.40gb", "3g.40gb", "3g.40gb", "1g.10gb", "2g.20gb", "c.x"]
    assert profiles([]) == []
    assert profiles([H100, H100._replace(mig=None)]) == []
    assert "1g.10gb" in profiles([H100])
    assert not any("+" in name for name in profiles([H100]))
    assert misfit(H100._replace(mig=None), {"1g.10gb": 1}) == "it has no profile 1g.10gb"
    assert misfit(H100, {"1c.3g.40gb": 9}) == "", "instances that compute instances share"
