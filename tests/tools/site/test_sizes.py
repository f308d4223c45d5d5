"""The size explorer shows the facts of the catalog, and filters them as the page says."""

import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tools.site.sizes import facts

ROOT = Path(__file__).parents[3]
FILTER = """\
const { matches, sorted, compared } = require(process.argv[1]);
const { sizes, asked } = JSON.parse(require("fs").readFileSync(0, "utf-8"));
const none = { name: "", gpu: "", memory: "", gpus: "", mig: "", infiniband: "", nvlink: "", provisioner: "",
  driver: "", region: "", price: "", sort: "name", gone: false };
console.log(JSON.stringify(asked.map((some) => {
  const wanted = { ...none, ...some };
  return sorted(sizes.filter((size) => matches(size, wanted)), wanted.sort, wanted.region).map((size) => size.name);
})));
"""
NC24, NC48 = "Standard_NC24ads_A100_v4", "Standard_NC48ads_A100_v4"


@cache
def known() -> dict[str, dict[str, Any]]:
    return {size["name"]: size for size in facts()}


def chosen(**asked: object) -> list[str]:
    """The sizes that the page shows for these filters, in its order."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node.js is not installed")
    command = [node, "-e", FILTER, str(ROOT / "site/static/sizes.js")]
    given = json.dumps({"sizes": [*known().values()], "asked": [asked]})
    done = subprocess.run(command, input=given, capture_output=True, text=True, encoding="utf-8", check=True)
    names: list[str] = json.loads(done.stdout)[0]
    return names


def test_the_facts_are_those_of_the_catalog() -> None:
    size = known()[NC24]
    assert [size[key] for key in ("gpu", "gpus", "gpuMemory", "mig")] == ["A100", 1, 80, True]
    assert [size[key] for key in ("driver", "karpenter", "status")] == ["cuda-lts", "offered", "active"]
    assert size["prices"].keys() == size["priceDates"].keys()
    assert size["provisioners"] == ["karpenter", "autoscaler-from-zero", "node-pool"]


def test_no_provisioner_starts_a_size_that_azure_does_not_sell() -> None:
    gone = [size for size in known().values() if size["status"] in ("retired", "never-offered")]
    assert gone
    assert all(size["provisioners"] == [] for size in gone)


def test_the_cluster_autoscaler_expects_no_amd_gpus_on_a_node_that_does_not_exist() -> None:
    amd = [size for size in known().values() if size["manufacturer"] == "amd" and size["provisioners"]]
    assert amd
    assert not [size["name"] for size in amd if "autoscaler-from-zero" in size["provisioners"]]


def test_filters_are_combined() -> None:
    names = chosen(gpu="A100", mig="yes", region="westeurope", price="10", sort="price")
    assert names[0] == NC24
    prices = [known()[name]["prices"]["westeurope"] for name in names]
    assert prices == sorted(prices)
    assert max(prices) <= 10


def test_an_unknown_fact_matches_neither_answer() -> None:
    unknown = {name for name, size in known().items() if size["nvlink"] is None}
    assert unknown
    assert unknown.isdisjoint([*chosen(nvlink="yes", gone=True), *chosen(nvlink="no", gone=True)])


def test_the_memory_is_that_of_the_part_of_a_gpu() -> None:
    assert "Standard_NV6ads_A10_v5" not in chosen(memory="5")
    assert "Standard_NV6ads_A10_v5" in chosen(memory="4")


def test_sizes_that_are_gone_are_shown_on_demand() -> None:
    assert "Standard_NC12" not in chosen()
    assert "Standard_NC12" in chosen(gone=True)
    assert len(chosen(gone=True)) == len(known())


def test_what_is_unknown_comes_last() -> None:
    names = chosen(sort="price", gone=True)
    priced = [bool(known()[name]["prices"]) for name in names]
    assert priced == sorted(priced, reverse=True)
