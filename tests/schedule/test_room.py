"""The resources of a node that pods can use: Karpenter's own arithmetic, calculated manually."""

from decimal import Decimal

import pytest

from gitgpu.schedule.allocatable import MIB, allocatable, amount_text, insufficient
from gitgpu.schedule.capacity import capacity
from tests.helping.cases import for_each
from tests.schedule.test_excluded_sizes import size

A100, T4, MI300X = "Standard_NC24ads_A100_v4", "Standard_NC4as_T4_v3", "Standard_ND96isr_MI300X_v5"
GIB = 2**30


@pytest.mark.parametrize(
    ("name", "cpu", "kept"),
    [
        # 60 m of the first vCPU, 40 m of the second, 20 m of each up to four, 10 m of each beyond
        # a quarter of the first 4 GiB, a fifth up to 8, a tenth up to 16, 6% up to 128, 2% beyond
        (T4, "3.86", 1024 * (1 + Decimal("0.8") + Decimal("0.8") + 12 * Decimal("0.06"))),
        (A100, "23.66", 1024 * (1 + Decimal("0.8") + Decimal("0.8") + 112 * Decimal("0.06") + 92 * Decimal("0.02"))),
        (MI300X, "94.94", 1024 * (Decimal("2.6") + 112 * Decimal("0.06") + 1722 * Decimal("0.02"))),
    ],
)
def test_what_kubelet_keeps(name: str, cpu: str, kept: Decimal) -> None:
    has, left = capacity(size(name)), allocatable(size(name))
    assert left["cpu"] == Decimal(cpu)
    assert has["memory"] is not None
    assert left["memory"] == has["memory"] - (int(kept) + 750) * MIB


@for_each(("vcpus", "left"), [(1, "0.94"), (2, "1.90"), (3, "2.88"), (4, "3.86"), (5, "4.85")])
def test_each_step_of_the_vcpus(vcpus: int, left: str) -> None:
    assert allocatable(size(T4)._replace(vcpus=vcpus))["cpu"] == Decimal(left)


def test_a_part_of_the_memory_is_the_hypervisors_and_parts_of_a_gib_are_cut_off() -> None:
    for memory in (28, 28.9):
        assert capacity(size(T4)._replace(memory_gib=memory))["memory"] == 28 * GIB - 2254857831  # 7.5%, rounded up


def test_what_counts_against_limits() -> None:
    names = ("cpu", "nvidia.com/gpu", "amd.com/gpu")
    assert [capacity(size(T4))[name] for name in names] == [Decimal(4), Decimal(1), Decimal(0)]
    assert [capacity(size(MI300X))[name] for name in names] == [Decimal(96), Decimal(0), Decimal(8)]


def test_what_is_not_known_stays_unknown() -> None:
    unknown = size(T4)._replace(vcpus=None, memory_gib=None, gpus=None, api_gpus=None)
    assert allocatable(unknown) == {"nvidia.com/gpu": None, "amd.com/gpu": 0, "cpu": None, "memory": None}
    assert insufficient(unknown, {"cpu": Decimal(999), "memory": Decimal(2**60), "nvidia.com/gpu": Decimal(99)}) == ""


@for_each(
    ("wanted", "part", "name"),
    [
        ({"cpu": "3.86"}, "1", ""),
        ({"cpu": "3.861"}, "1", "cpu"),
        ({"cpu": "3.8"}, "0.98", "cpu"),
        ({"cpu": "3.7"}, "0.98", ""),
        ({"nvidia.com/gpu": "1"}, "0.98", ""),
        ({"nvidia.com/gpu": "2"}, "1", "nvidia.com/gpu"),
        ({"memory": "23459371418"}, "1", "memory"),
        ({"memory": "23459371417"}, "1", ""),
        ({"memory": "23459371417"}, "0.98", "memory"),
        ({"memory": "99999999999", "cpu": "99"}, "1", "cpu"),
        ({"example.com/thing": "1"}, "1", ""),
    ],
)
def test_what_is_too_much(wanted: dict[str, str], part: str, name: str) -> None:
    assert insufficient(size(T4), {key: Decimal(amount) for key, amount in wanted.items()}, Decimal(part)) == name


@for_each(
    ("name", "amount", "text"),
    [
        ("memory", Decimal(3 * GIB) / 2, "1.5Gi"),
        ("cpu", Decimal("3.86"), "3860m"),
        ("cpu", Decimal(4), "4"),
        ("cpu", Decimal(3), "3"),
        ("nvidia.com/gpu", Decimal(8), "8"),
    ],
)
def test_amounts_in_words(name: str, amount: Decimal, text: str) -> None:
    assert amount_text(name, amount) == text
