"""Functions of the model that fleets use in few ways: each is tested alone, with a table of cases."""

import json
from typing import Any

from gitgpu.load.catalog.folders import Folder
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.load.spec.shape import Document, shape
from gitgpu.load.text import Text
from gitgpu.model.catalog import Catalog, catalog
from gitgpu.model.document_names import label, missing_name_remedy, names_and_labels, referenced_names
from gitgpu.model.effective import EffectiveQuery, Missing, effective
from gitgpu.model.labels import closed_domain, is_added
from gitgpu.model.metrics.gpu_units import measured_field
from gitgpu.model.metrics.promql import read_query
from gitgpu.model.metrics.promql_text import for_parser, is_unsafe, parse_query, tokens
from gitgpu.model.size.size_selection import matching_sizes, plain
from gitgpu.model.size.unmet_requirements import unknown_names, unmet
from gitgpu.model.syntax.region_names import meant_region
from gitgpu.source import Pointer
from tests.helping.cases import for_each

CATALOG = Catalog(CatalogFiles())


@for_each(
    ("key", "added"),
    [
        ("nvidia.com/mig.config", True), ("nvidia.com/gpu.product", True), ("nvidia.com/cuda.compute.major", True),
        ("nvidia.com/gpu.deploy.operands", True), ("nvidia.com/device-plugin.config", True), ("nvidia.com/gpu", False),
        ("nvidia.com/dra-kubelet-plugin", True), ("nvidia.com/cuda.driver.major", False), ("team", False),
        ("x.nvidia.com/gpu.product", False),
    ],
)  # fmt: skip
def test_labels_that_gitgpu_adds(key: str, added: bool) -> None:
    assert is_added(key) is added


def test_domains_that_are_closed_to_nodepools() -> None:
    row = {"domains": [{"domain": "a.io", "allowed": ["a.io/x"]}, {"domain": "b.io", "allowed": []}]}
    domains = {
        key: closed_domain(key, row) for key in ("a.io/x", "a.io/y", "my-a.io/y", "b.io/x", "c.io/x", "a.io.x/y")
    }
    first, second = row["domains"]
    assert list(domains.values()) == [None, first, first, second, None, None]


@for_each(
    ("query", "sums", "field"),
    [
        ("a", False, "a"), ("avg(b)", False, "b"), ("max(a) by (x)", False, "a"), ("sum(a)", False, ""),
        ("sum(a)", True, "a"), ("avg_over_time(a[5m])", False, "a"), ("rate(a[5m])", False, ""), ("a * 2", False, ""),
        ("c", False, ""), ("a and c", False, ""), ("quantile(0.9, b)", False, "b"), ("count(a)", True, ""),
        ("1", False, ""), ("max(quantile_over_time(0.9, b[1m]))", False, "b"), ("sum(avg(a))", True, "a"),
        ("group(a)", False, ""), ('{__name__="a"}', False, "a"),
    ],
)  # fmt: skip
def test_the_field_whose_numbers_a_query_keeps(query: str, sums: bool, field: str) -> None:
    assert measured_field(read_query(query), ("a", "b"), sums=sums) == field
    assert measured_field(None, ("a",)) == ""


def test_a_sum_of_gpu_metrics_is_in_another_unit_unless_sums_count() -> None:
    assert (measured_field(read_query("sum(a)"), ("a",)), measured_field(read_query("sum(a)"), ("a",), sums=True)) == (
        "",
        "a",
    )


@for_each(
    ("query", "unsafe"),
    [
        ("a", False), ("(" * 200 + "a" + ")" * 200, False), ("(" * 201 + "a" + ")" * 201, True),
        ("a + " * 200 + "a", False), ("a + " * 201 + "a", True), ("a and " * 201 + "a", True),
        ("a OR " * 201 + "a", True),
        ('"' + "(" * 300 + '"', False), ("a[5m]", False), ("a[5m:1m]", False), ("a[12345678901234s]", True),
        ("a[1234567890123]", False), ("a offset 5m", False), ("a offset inf", True), ("a offset -nan", True),
        ("a[5m:1e99]", True), ("a[1e5]", True), ("a offset 1e5", True), ('a{b="[inf]"}', False), ("offset_inf", False),
        ("a[Inf]", True), ("inf", False),
    ],
)  # fmt: skip
def test_queries_that_the_parser_is_spared(query: str, unsafe: bool) -> None:
    assert is_unsafe(query) is unsafe
    if unsafe:
        assert parse_query(query) == (None, "")


@for_each(
    ("query", "plain_query"),
    [
        ("a_b", "a_b"), ("1_000", "1000"), (".5_0", ".50"), ("`a\\d`", '"a\\\\d"'), ('`"`', '"\\""'),
        ("`a\nb\rc`", '"a\\nb\\rc"'), ('"a_1"', '"a_1"'), ("a # `b`\n", "a # `b`\n"), ("_1", "_1"),
    ],
)  # fmt: skip
def test_queries_as_the_parser_reads_them(query: str, plain_query: str) -> None:
    assert for_parser(query) == plain_query


def test_the_pieces_of_a_query() -> None:
    pieces = tokens('rate(a{b=~"x#y"}[5m]) # c\n>= `z`')
    assert [piece.text for piece in pieces] == [
        "rate", "(", "a", "{", "b", "=~", '"x#y"', "}", "[", "5m", "]", ")", ">=", "`z`",
    ]  # fmt: skip
    assert [piece.kind for piece in pieces][-3:] == ["sign", "sign", "raw"]
    assert [(piece.start, piece.end) for piece in pieces[:3]] == [(0, 4), (4, 5), (5, 6)]


FLEET = """
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: contoso}
spec: {delivery: {repository: "https://github.com/contoso/gpus"}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod}
spec: {region: swedencentral, kubernetesVersion: "1.36"}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: bad}
spec: {region: swedencentral, kubernetesVersion: 5}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec: {clusters: [prod], sku: Standard_NC16as_T4_v3}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: broken}
spec: {clusters: [prod], sku: 5}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: chat, namespace: a}
spec: {pools: [t4], target: {kind: Deployment, name: chat}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: chat, namespace: b}
spec: {pools: [t4], target: {kind: Deployment, name: chat}}
"""


def documents() -> list[Document]:
    """The documents of the fleet, with two that are not valid."""
    docs, _ = shape([Text("fleet.yaml", FLEET, "fleet.yaml")])
    return list(docs)


@for_each(
    ("wanted", "problem", "remedy"),
    [
        (("GpuPool", "", "t4", "bad"), "Cluster bad has errors", "run `gitgpu validate`, and correct them"),
        (("GpuPool", "", "t4", "prd"), "no Cluster is named 'prd'", "did you mean 'prod'?"),
        (("GpuPool", "", "x9", "prod"), "no GpuPool is named 'x9'", "use one of broken, t4"),
        (("GpuPool", "", "broken", "prod"), "GpuPool broken has errors", "run `gitgpu validate`, and correct them"),
        (("GpuWorkload", "", "chat", "prod"), "several workloads are named 'chat'",
         "use workload/a/chat or workload/b/chat"),
        (("GpuWorkload", "c", "chat", "prod"), "no GpuWorkload is named 'chat'", "did you mean 'chat'?"),
    ],
)  # fmt: skip
def test_documents_that_a_cluster_does_not_see(wanted: tuple[str, str, str, str], problem: str, remedy: str) -> None:
    assert effective(documents(), EffectiveQuery(*wanted)) == Missing(problem, remedy)


def test_a_document_that_a_cluster_sees() -> None:
    for kind, namespace, name in (("GpuWorkload", "b", "chat"), ("GpuPool", "", "t4"), ("Cluster", "", "prod")):
        seen = effective(documents(), EffectiveQuery(kind, namespace, name, "prod"))
        assert not isinstance(seen, Missing)
        assert (seen.ref.kind, seen.ref.namespace, seen.ref.name, seen.cluster) == (kind, namespace, name, "prod")


def test_the_order_of_documents_does_not_matter() -> None:
    wanted = EffectiveQuery("GpuPool", "", "t4", "prod")
    assert effective(documents()[::-1], wanted) == effective(documents(), wanted)


def test_without_clusters_the_remedy_is_to_create_one() -> None:
    alone = [document for document in documents() if document.kind != "Cluster"]
    seen = effective(alone, EffectiveQuery("GpuPool", "", "t4", "prod"))
    assert seen == Missing("no Cluster is named 'prod'", "create a document of kind: Cluster")


def test_names_of_documents() -> None:
    known = documents()
    assert referenced_names("Cluster", known) == {"prod"}
    assert referenced_names("GpuPool", known) == {"t4"}
    assert referenced_names("GpuWorkload", known) == set()
    assert names_and_labels(known) == {"contoso", "prod", "bad", "t4", "broken", "chat"}
    assert [label(name) for name in ("a", "My_Pool", "-x-", "a.b")] == ["a", "my-pool", "x", "a-b"]
    assert missing_name_remedy("T4", ["t4", "x"], "GpuPool") == "did you mean 't4'?"
    assert (
        missing_name_remedy("zzz", [f"n{at}" for at in range(9)], "GpuPool")
        == "use one of n0, n1, n2, n3, n4, n5, n6, n7"
    )
    assert missing_name_remedy("zzz", [], "GpuPool") == "create a document of kind: GpuPool"


@for_each(
    ("word", "region"),
    [("europewest", "westeurope"), ("useast2", "eastus2"), ("westeurope", ""), ("sweden", "swedencentral"),
     ("swed", ""), ("germany", "germanywest"), ("us-east", ""), ("", ""), ("eastu", "")],
)  # fmt: skip
def test_regions_that_a_word_stands_for(word: str, region: str) -> None:
    names = ("westeurope", "eastus", "eastus2", "swedencentral", "swedensouth", "germanywest", "germanynorth")
    assert meant_region(word, names, ("swedensouth", "germanynorth")) == region


@for_each(
    ("wanted", "place", "message", "remedy"),
    [
        ({"gpu": {"model": "T5"}}, ("gpu", "model"), "no size has gpu.model 'T5'", "use one of A10, A100, "),
        ({"gpu": {"model": "Tesla T4"}}, ("gpu", "model"), "no size has gpu.model 'Tesla T4'", "did you mean T4?"),
        ({"gpu": {"model": ["NVIDIA T4", "A100-SXM4-80GB"]}}, ("gpu", "model"),
         "no size has gpu.model 'NVIDIA T4' or 'A100-SXM4-80GB'",
         "did you mean T4 and A100?"),
        ({"gpu": {"model": "T4"}, "vcpus": "9999"}, ("vcpus",), "no size has vcpus '9999'",
         "relax it; `gitgpu sku list` shows every size and its facts"),
        ({"gpu": {"model": "T4", "manufacturer": "amd"}}, ("gpu", "model"),
         "no size has gpu.model 'T4' and meets the other requirements too", "relax or remove it: "),
        ({"gpu": {"model": "T4"}, "vcpus": "6"}, ("vcpus",),  # only sizes with a part of a GPU have 6
         "no size has vcpus '6' and meets the other requirements too", "relax or remove it: "),
        ({"gpu": {"model": "T4"}, "rdma": True}, ("gpu", "model"),
         "no size has gpu.model 'T4' and meets the other requirements too", "relax or remove it: "),
        ({"gpu": {"model": "T4", "manufacturer": "amd"}, "rdma": True, "vcpus": "4"}, (),
         "no size meets these requirements together", "relax several of them; "),
        ({"series": "NCxx_v9"}, ("series",), "no size has series 'NCxx_v9'", ""),
    ],
)  # fmt: skip
def test_requirements_that_no_size_meets(wanted: dict[str, Any], place: Pointer, message: str, remedy: str) -> None:
    fault = unmet(CATALOG, wanted)
    assert (fault.place, fault.message) == (place, message)
    assert fault.remedy.startswith(remedy)


def test_names_that_no_size_has() -> None:
    wanted = {"gpu": {"model": ["T4", "T5"], "memoryGiB": "16"}, "series": ["NCas_v3", "nope"], "vcpus": "4"}
    assert [(fault.place, fault.message) for fault in unknown_names(CATALOG, wanted)] == [
        (("gpu", "model", 1), "no size has gpu.model 'T5'"),
        (("series", 1), "no size has series 'nope'"),
    ]
    assert list(unknown_names(CATALOG, {"gpu": {"model": "T5"}})) == []
    assert plain("RTX PRO 6000") == "rtxpro6000"


def test_parts_of_a_gpu_are_sizes_only_where_they_are_wanted() -> None:
    whole = {sku.name for sku in matching_sizes(CATALOG, {"gpu": {"model": "A10"}})}
    parts = {sku.name for sku in matching_sizes(CATALOG, {"gpu": {"model": "A10", "fractional": True}})}
    assert whole < parts
    assert {sku.gpu.model for sku in matching_sizes(CATALOG, {"gpu": {"model": "a 10"}}) if sku.gpu} == {"A10"}


def test_lists_of_a_subscription_hold_for_their_region() -> None:
    size = "Standard_NC16as_T4_v3"
    listed = {size: {"zones": ["1"], "restricted": "NotAvailableForSubscription"}}
    sizes = {"date": "2026-01-02", "listed": listed}
    row = {"name": "eastus", "sizes": sizes, "source": ["https://a"], "verified": "2026-01-02"}
    own = Folder("mine", "mine", {"availability/eastus.yaml": json.dumps(row)})
    sku, unlisted = Catalog(CatalogFiles([own])).sku(size), Catalog(CatalogFiles([own]), {"eastus"}).sku(size)
    assert sku is not None
    assert sku.restricted == {"eastus": "NotAvailableForSubscription"}
    assert unlisted is not None
    assert unlisted.restricted == {}
    assert catalog(()).similar_name("skus", "nothing") is None
