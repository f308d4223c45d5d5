"""The search finds rules by code, name and message, and causes by what people paste."""

import json
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from tests.helping.cases import for_each
from tools.site.pages import Site, read
from tools.site.search import Entry, entries, plain

ROOT = Path(__file__).parents[3]
FIND = """\
const { find, prepare } = require(process.argv[1]);
const { entries, queries } = JSON.parse(require("fs").readFileSync(0, "utf-8"));
const frequency = prepare(entries);
const first = (query) => find(entries, query, frequency).slice(0, 3).map((entry) => entry.at);
console.log(JSON.stringify(queries.map(first)));
"""
RULE = "reference/rules/{}.html"
# What a user types or pastes, and what has to be among the first three results.
QUERIES = {
    "AGP004": RULE.format("AGP004"),
    "agp004": RULE.format("AGP004"),
    "INP003": "reference/faults.html#the-input-cannot-be-read-exit-status-2",
    "node-pool-field-on-karpenter": RULE.format("AGP004"),
    "nodes applies to AKS node pools only, but Karpenter creates the nodes on my-cluster": RULE.format("AGP004"),
    "0/3 nodes are available: 3 Insufficient nvidia.com/gpu.": "troubleshooting.html#insufficient-gpu",
    "Warning  FailedScheduling  4m  default-scheduler  0/12 nodes are available: 2 cannot allocate all claims. "
    "preemption: 0/12 nodes are available": "troubleshooting.html#cannot-allocate-claims",
    "The node was low on resource: ephemeral-storage.": "troubleshooting.html#evicted-low-on-resource",
    "move a pool to another provisioner": "how-to/move-a-pool-to-another-provisioner.html",
    "share a GPU with other pods": "how-to/share-a-gpu.html",
}


@cache
def known() -> list[Entry]:
    return entries(Site(ROOT, read(ROOT), ""))


def pasted(text: str) -> str:
    """A message as an event shows it, with what differs around it."""
    return f"Warning  Failed  3m (x7 over 21m)  pod/chat-5f7c9-x2x8q  0/12: {text}, on aks-gpu-38112345-vmss00000A"


@cache
def found() -> dict[str, list[str]]:
    """The first three that each query finds, and each message of the catalog as it is pasted."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node.js is not installed")
    command = [node, "-e", FIND, str(ROOT / "site/static/search.js")]
    queries = [*QUERIES, *(pasted(entry["title"]) for entry in known() if entry["kind"] == "message")]
    asked = json.dumps({"entries": known(), "queries": queries})
    done = subprocess.run(command, input=asked, capture_output=True, text=True, encoding="utf-8", check=True)
    return dict(zip(queries, json.loads(done.stdout), strict=True))


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_finds_its_page(query: str) -> None:
    assert QUERIES[query] in found()[query]


def test_each_pasted_message_finds_its_cause() -> None:
    messages = [entry for entry in known() if entry["kind"] == "message"]
    assert [entry["title"] for entry in messages if entry["at"] not in found()[pasted(entry["title"])]] == []


def test_every_rule_message_and_fault_can_be_found() -> None:
    pages = Site(ROOT, read(ROOT), "").pages
    rules = {page.name.replace(".md", ".html") for page in pages if page.is_rule}
    assert rules == {entry["at"] for entry in known() if entry["kind"] == "rule"}
    codes = [code for entry in known() if entry["kind"] == "fault" for code in entry["codes"]]
    assert {"INP001", "CLI001", "YML003", "SHP003"} <= {*codes}
    assert len(codes) == len({*codes})
    assert all(entry["title"] and entry["text"].strip() for entry in known() if entry["kind"] != "page")


def test_a_heading_in_a_block_is_none() -> None:
    assert not [entry for entry in known() if "exit status of Sphinx" in entry["title"]]
    titles = [entry["title"] for entry in known() if entry["at"].startswith("tutorial.html")]
    assert "Tutorial: a first fleet: 1. Install" in titles


@for_each(
    ("text", "expected"),
    [
        ("See [the `spec`](a.md), [AGP004].", "See the spec, [AGP004]."),
        ("| A | B |\n| --- | --- |\n| `x` \\| y | **b** |", "A B x | y b"),
        ('<!-- from x -->\n```sh\ngitgpu build\n```\n<a id="b"></a>', "gitgpu build"),
        ("[AGP004]: rules/AGP004.md\nrest", "rest"),
    ],
)
def test_plain_text_has_no_marks(text: str, expected: str) -> None:
    assert plain(text) == expected
