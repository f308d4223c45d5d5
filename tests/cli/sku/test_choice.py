"""Filters and order of `sku list`, and `sku compare`: the output, and the errors for wrong values."""

import json
from typing import Any

import pytest

from tests.cli.conftest import Run

A100, H100, A10 = "Standard_NC24ads_A100_v4", "Standard_NC40ads_H100_v5", "Standard_NV6ads_A10_v5"


def listed(run: Run, *arguments: str) -> list[dict[str, Any]]:
    """The sizes that `sku list` prints as JSON."""
    ran = run("sku", "list", "-o", "json", *arguments)
    assert (ran.code, ran.err) == (0, "")
    return list(json.loads(ran.out)["skus"])


def names(sizes: list[dict[str, Any]]) -> list[str]:
    """The names of the sizes."""
    return [size["name"] for size in sizes]


def test_prices_regions_and_zones_are_those_of_the_catalog(run: Run) -> None:
    (size,) = [size for size in listed(run) if size["name"] == A100]
    assert size["prices"]["eastus"] == 3.673
    assert size["pricePerHour"] == min(size["prices"].values())
    assert size["zones"] == {"southcentralus": ["1", "3"]}
    assert size["regions"] == sorted({*size["prices"], "southcentralus"})
    (there,) = [size for size in listed(run, "--region", "westeurope") if size["name"] == A100]
    assert there["pricePerHour"] == size["prices"]["westeurope"] > size["pricePerHour"]


@pytest.mark.parametrize("region", ["westeurope", "WestEurope", "West Europe"])
def test_a_region_keeps_the_sizes_that_are_sold_there(run: Run, region: str) -> None:
    sizes = listed(run, "--region", region)
    assert names(sizes) == [size["name"] for size in listed(run) if "westeurope" in size["regions"]]
    assert sizes
    head, *lines = run("sku", "list", "--all", "--region", region).out.splitlines()
    assert "$/h (2026-06-18)  ZONES  DRIVER" in head
    assert len(lines) == len(sizes)


def test_memory_counts_the_part_of_a_gpu(run: Run) -> None:
    sizes = listed(run, "--gpu-memory", "24")
    assert A10 not in names(sizes)  # a sixth of 24 GiB
    assert "Standard_NV36ads_A10_v5" in names(sizes)
    assert A10 in names(listed(run, "--gpu-memory", "4"))
    assert names(listed(run, "--gpu-memory", "24Gi")) == names(listed(run, "--gpu-memory", "24GiB")) == names(sizes)
    assert all(size["gpu"]["memoryGiB"] >= 24 for size in sizes)


@pytest.mark.parametrize("fact", ["mig", "rdma"])
def test_a_size_with_an_unknown_feature_matches_neither_option(run: Run, fact: str) -> None:
    every = listed(run)
    assert {size[fact] for size in every} == {True, False, None}
    assert names(listed(run, f"--{fact}")) == [size["name"] for size in every if size[fact] is True]
    assert names(listed(run, f"--no-{fact}")) == [size["name"] for size in every if size[fact] is False]


def test_a_price_limit_excludes_sizes_without_a_price(run: Run) -> None:
    sizes = listed(run, "--max-price", "1")
    assert sizes
    assert all(size["pricePerHour"] <= 1 for size in sizes)
    assert names(sizes) == [size["name"] for size in listed(run) if (size["pricePerHour"] or 2) <= 1]
    dear = listed(run, "--max-price", "3.673", "--region", "eastus", "--model", "A100")
    assert names(dear) == [A100]


def test_sizes_are_in_the_requested_order(run: Run) -> None:
    prices = [size["pricePerHour"] for size in listed(run, "--sort", "price")]
    known = [price for price in prices if price is not None]
    assert known == sorted(known)
    assert set(prices[len(known) :]) == {None}
    counts = [size["gpu"]["count"] or 0 for size in listed(run, "--sort", "gpus", "--model", "A100")]
    assert counts == sorted(counts, reverse=True)
    memory = names(listed(run, "--sort", "memory", "--region", "eastus", "--gpu-memory", "16"))
    assert memory.index("Standard_ND96isr_H100_v5") < memory.index(H100) < memory.index(A100)
    assert sorted(memory) == names(listed(run, "--region", "eastus", "--gpu-memory", "16"))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--region", "westuerope"), "'westuerope' is not a known Azure region; did you mean westeurope?"),
        (("--gpu-memory", "80GB"), "'80GB' is not an amount in GiB such as 80"),
        (("--gpu-memory", "-1"), "'-1' is not an amount in GiB such as 80"),
        (("--max-price", "nan"), "'nan' is not a price"),
        (("--max-price", "inf"), "'inf' is not a price"),
        (("--max-price", "-1"), "-1"),
        (("--sort", "prize"), "'prize' is not one of 'price', 'gpus', 'memory'"),
    ],
)
def test_a_wrong_value_is_a_usage_error(run: Run, words: tuple[str, ...], message: str) -> None:
    ran = run("sku", "list", *words)
    assert (ran.code, ran.out) == (2, "")
    assert message in " ".join(ran.err.split())


def test_a_misspelt_model_gets_a_suggestion(run: Run) -> None:
    ran = run("sku", "list", "--model", "A10O")
    assert ran.code == 1
    assert "did you mean A10?" in ran.err


def test_two_sizes_side_by_side(run: Run) -> None:
    lines = run("sku", "compare", "nc24ads_a100_v4", H100).out.splitlines()
    assert lines[0].split() == [A100, H100]
    marks = {line[3:].split()[0]: line[0] for line in lines[1:-2]}
    assert (marks["vcpus"], marks["gpu.model"], marks["gpu.count"], marks["arch"]) == ("*", "*", " ", " ")
    assert (marks["encryptionAtHost"], marks["nvlink"]) == ("?", " ")
    assert lines[-2:] == ["* the sizes differ", "? unknown for some of the sizes, or they do not have it"]
    assert next(line for line in lines if "pricePerHour" in line).split()[2:] == ["3.673", "6.98"]


def test_a_comparison_in_json_has_sizes_and_differences(run: Run) -> None:
    report = json.loads(run("sku", "compare", A100, A10, A100, "-o", "json", "--region", "westeurope").out)
    assert (report["apiVersion"], report["kind"]) == ("report.gitgpu.dev/v1", "SkuComparison")
    assert names(report["skus"]) == [A100, A10, A100]
    different = {entry["fact"]: entry["values"] for entry in report["differences"]}
    assert different["gpu.memoryGiBEach"] == [80, 4, 80]
    assert different["gpu.share"] == ["1", "1/6", "1"]
    assert different["pricePerHour"] == [size["prices"].get("westeurope") for size in report["skus"]]
    assert "arch" not in different
    same = json.loads(run("sku", "compare", A100, A100, "-o", "json").out)
    assert same["differences"] == []


def test_equal_sizes_have_no_marks_and_no_legend(run: Run) -> None:
    lines = run("sku", "compare", A10, A10).out.splitlines()
    assert not [line for line in lines if line.startswith(("*", "?"))]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ((A100,), 2, "pass the names of at least two sizes"),
        ((A100, "Standard_NC40ads_H100_v6"), 1, f"did you mean {H100}?"),
        ((A100, H100, "--region", "eastsu"), 2, "did you mean eastus?"),
    ],
)
def test_a_comparison_that_cannot_be_made(run: Run, words: tuple[str, ...], code: int, message: str) -> None:
    ran = run("sku", "compare", *words)
    assert (ran.code, ran.out) == (code, "")
    assert message in " ".join(ran.err.split())
