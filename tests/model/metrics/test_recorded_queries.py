"""Realistic queries: their parts, what rules conclude from them, and why Prometheus rejects some."""

from collections.abc import Iterator

from syrupy.assertion import SnapshotAssertion

from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.catalog import Catalog
from gitgpu.model.metrics.amd_virtual_gpus import virtual_gpu_metrics
from gitgpu.model.metrics.endpoints import base_of, speaks_promql
from gitgpu.model.metrics.gpu_units import measured_field
from gitgpu.model.metrics.levels import level
from gitgpu.model.metrics.own_metrics import reporter, reporters
from gitgpu.model.metrics.profiling import is_profiled
from gitgpu.model.metrics.promql import Part, comparison, is_aggregated, operators, read_query, selectors
from gitgpu.model.metrics.promql_faults import refusal
from gitgpu.model.metrics.promql_text import for_parser, is_unsafe, outline, tokens
from tests.helping.cases import for_each

CATALOG = Catalog(CatalogFiles())
UTIL, MEMORY = "DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_DEV_FB_USED"
QUERIES = (
    "up", UTIL, f'avg({UTIL}{{pod=~"web.*",node!=""}})', f"sum by (pod) ({UTIL})", f"max_over_time({UTIL}[5m])",
    f"avg({UTIL}) + avg({MEMORY})", f"avg({UTIL} and {MEMORY})", f"min(max({MEMORY}))", f"-{UTIL}", f"rate({UTIL}[5m])",
    f"quantile(0.9, {UTIL})", f"topk(3, {UTIL}) > 5", f"avg({UTIL}) > bool 80", f"80 < avg({UTIL})", "a + b > 5",
    "a > b", "a == 5", "a unless b or c", "sum without (x) (rate(a[5m:1m] offset 1h)) / 2", '{__name__="a",b="c"}',
    '{__name__=~"a.*"}', 'a{b=~".*",c=~"",d!~"x",e!=""}', "scalar(a)", "vector(1)", "time()", "absent(a)",
    'label_replace(a, "x", "$1", "y", "(.*)")', "avg(vllm:num_requests_waiting)", "vllm:x + triton_y",
    "vllm:num_requests_waiting + http_requests_total", "count_values('x', a)", "1_000 + 0x1f + inf",
    "a # comment\n + b",
    "a{b=`c\\d`}", "(((a)))", "sum(a)[5m:]", "a @ 5", "stddev(a)", "last_over_time(a[1h])",
)  # fmt: skip
REFUSED = (
    "", "(", "sum(", "sum(a", "a)", "a}", "a{", 'a{b="c}', "a[5]", "a[5m", "a[5 minutes]", "rate(a)", "sum(a[5m])",
    "a[5m]",
    "a{b=c}", 'a{b=="c"}', "a = 5", "1 > 2", 'a{b="\\d"}', "rate(a[$__interval])", "$x", "a $ b", "foo(a)",
    "sum(a, b, c)",
    "a b", "a +", "+ + ", "sum by pod (a)", 'a{b=~"("}', 'a{b=~"(?=x)"}', 'a{b=~"\\Qx\\E"}', "a offset", "a offset 5",
    "a[5m] offset 5m", "rate(a[5m)", "'abc", "a{,}", "label_replace(a)", "quantile(a)", "topk(a)", "a and 5", "1 and a",
    "sum(a)\nby (x) )", "a ==", "a[1h:", 'a{b="x"', '"x" + a', "histogram_quantile(0.9)", "a[0s]", "rate(a[-5m])",
    "avg(a) > and 5", "a[5m:0s]", "x" * 30 + " y", "count_values(a, 'x')", "sum(a) by (b:c)", "a anchored",
    'info(a, {b="c"})',
)  # fmt: skip


def tree(part: Part, depth: int = 1) -> Iterator[str]:
    """A query in parts, one on a line."""
    facts = (part.name, part.by, part.without, part.number)
    matchers = [(*matcher, matcher.wants_label) for matcher in part.selector.matchers]
    yield f"{'  ' * depth}{part.kind} {facts} {part.selector.metric} {matchers}"
    for inner in part.parts:
        yield from tree(inner, depth + 1)


def concluded(query: str) -> Iterator[str]:
    """What rules conclude of a query."""
    part = read_query(query)
    yield repr(query)
    if part is None:
        yield "  not read"
        return
    yield from tree(part)
    compared = comparison(part)
    yield f"  compared {(compared[0].kind, compared[1]) if compared else None}, aggregated {is_aggregated(part)}"
    units = [measured_field(part, (UTIL, MEMORY), sums=sums) for sums in (False, True)]
    average = level(part, CATALOG)
    yield f"  operators {sorted(operators(part))}, units {units}, average {average}, by {reporters(part, CATALOG)}"


def test_the_parts_of_a_query(snapshot: SnapshotAssertion) -> None:
    assert "\n".join(line for query in QUERIES for line in concluded(query)) == snapshot
    assert (operators(None), selectors(None), comparison(None)) == (frozenset(), (), None)
    assert measured_field(None, (UTIL,)) == ""


def test_queries_that_prometheus_refuses(snapshot: SnapshotAssertion) -> None:
    lines = []
    for query in (*REFUSED, *QUERIES):
        refused = refusal(query)
        lines.append(f"{query!r}: {f'{refused.reason}; {refused.remedy}' if refused else 'read'}")
    assert "\n".join(lines) == snapshot


@for_each(
    ("query", "is_so"),
    [
        ("a", False), ("(" * 200 + "a" + ")" * 200, False), ("(" * 201 + "a" + ")" * 201, True), ("-" * 201 + "a",
        True),
        ("a and " * 201 + "a", True), ("a[inf]", True), ("a[1e9]", True), ("a offset nan", True),
        ("a[12345678901234]", True),
        ("a[1234567890123]", False), ("a[5m:inf]", True), ("a offset -inf", True), ('"' + "(" * 300 + '"', False),
        ("a[-1e5]", True), ("a_offset inf", False),
    ],
)  # fmt: skip
def test_queries_that_could_end_the_process(query: str, is_so: bool) -> None:
    assert is_unsafe(query) is is_so
    assert (read_query(query) is None) >= is_so


def test_queries_as_text() -> None:
    query = "sum(a{b='c'}) # d\n + 1_000 =~ `\\d\"` _x"
    assert [(token.kind, token.text) for token in tokens(query)] == [
        ("word", "sum"), ("sign", "("), ("word", "a"), ("sign", "{"), ("word", "b"), ("sign", "="), ("string", "'c'"),
        ("sign", "}"), ("sign", ")"), ("sign", "+"), ("word", "1_000"), ("sign", "=~"), ("raw", '`\\d"`'), ("word",
        "_x"),
    ]  # fmt: skip
    assert [query[token.start : token.end] for token in tokens(query)] == [token.text for token in tokens(query)]
    assert outline(tokens(query)) == 'sum ( a { b = "" } ) + 1000 =~ "" _x'.replace("1000", "1_000")
    assert for_parser(query) == 'sum(a{b=\'c\'}) # d\n + 1000 =~ "\\\\d\\"" _x'
    assert for_parser("`a\nb\r`") == '"a\\nb\\r"'
    assert for_parser("a.1_0 1_0m _1 .5_0") == "a.1_0 10m _1 .50"


@for_each(
    ("address", "base", "promql"),
    [
        ("https://prom.io", "https://prom.io", True),
        ("https://prom.io/api/v1/query", "https://prom.io", True),
        ("https://prom.io/x/api/v1/query_range//", "https://prom.io/x", True),
        ("https://prom.io/api/v1/queryx", "https://prom.io/api/v1/queryx", True),
        ("http://VictoriaMetrics:8428", "http://VictoriaMetrics:8428", False),
        ("http://vmselect", "http://vmselect", False),
        ("http://vmsingle", "http://vmsingle", False),
        ("http://vmauth", "http://vmauth", False),
        ("http://x:8428", "http://x:8428", False),
        ("http://x:8481/select/0", "http://x:8481/select/0", False),
        ("http://x/select/0", "http://x/select/0", False),
        ("http://loki:3100", "http://loki:3100", False),
    ],
)
def test_which_servers_speak_promql(address: str, base: str, promql: bool) -> None:
    assert (base_of(address), speaks_promql(address)) == (base, promql)


def test_who_reports_a_metric() -> None:
    for row in CATALOG.rows("series").values():
        assert reporter(f"{row['prefix']}x", CATALOG) == (row["by"] or "")
        assert {reporter(name, CATALOG) for name in row["lasting"]} <= {""}
    assert reporter("up", CATALOG) == ""
    assert virtual_gpu_metrics(CATALOG) == {
        name for name, is_reported in CATALOG.must("series", "amd")["guest"].items() if is_reported
    }


def test_where_profiling_counters_work() -> None:
    a100, a10 = CATALOG.sku("Standard_NC24ads_A100_v4"), CATALOG.sku("Standard_NV36ads_A10_v5")
    assert a100 is not None
    assert a10 is not None
    assert [is_profiled(sku, driver, CATALOG) for sku in (a100, a10) for driver in ("aks", "operator")] == [
        True, True, False, True,
    ]  # fmt: skip
    assert not is_profiled(a100._replace(gpu=None), "aks", CATALOG)
    assert a100.gpu is not None
    assert not is_profiled(a100._replace(gpu=a100.gpu._replace(profiling=None)), "aks", CATALOG)
    assert is_profiled(a10._replace(driver=None), "aks", CATALOG)
