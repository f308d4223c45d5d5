"""Queries as rules read them: series with their labels, the outermost function, and unreadable queries."""

from gitgpu.model.metrics.promql import Matcher, Part, comparison, is_aggregated, operators, read_query, selectors
from tests.helping.cases import for_each


@for_each(
    ("query", "expected"),
    [
        ("up", [("up", ())]),
        ('sum(rate(http_requests_total{job="a",code=~"5.."}[5m]))', [("http_requests_total", ("job", "code"))]),
        ('sum by (pod) (DCGM_FI_DEV_GPU_UTIL{pod="x"})', [("DCGM_FI_DEV_GPU_UTIL", ("pod",))]),
        ("sum(a) by (pod) / on (pod) group_left (x) sum(b)", [("a", ()), ("b", ())]),
        ('{__name__="DCGM_FI_DEV_GPU_UTIL",pod!=""}', [("DCGM_FI_DEV_GPU_UTIL", ("pod",))]),
        ("vllm:num_requests_waiting > bool 3 and on () b offset 5m", [("vllm:num_requests_waiting", ()), ("b", ())]),
        ('{job="x",__name__="a"}', [("a", ("job",))]),
        ('{__name__=~"a.*",job="x"}', [("", ("job",))]),
        ('label_replace(up, "a", "$1", "b", "(.*)")', [("up", ())]),
        ("vector(1) # a{b}", []),
        ("max_over_time(a[1h:5m]) * 2.5e3", [("a", ())]),
        ('up{a="{b}",}', [("up", ("a",))]),
        ("sum(a{b='c'}[5m]) smoothed", []),
    ],
)
def test_the_series_that_a_query_reads(query: str, expected: list[tuple[str, tuple[str, ...]]]) -> None:
    series = selectors(read_query(query))
    assert [(selector.metric, tuple(match.label for match in selector.matchers)) for selector in series] == expected


@for_each(
    ("query", "expected"),
    [
        ("avg(a)", ("avg", (), False)),
        ("(avg(a))", ("avg", (), False)),
        ("avg by (pod) (a)", ("avg", ("pod",), False)),
        ("avg(a) by (pod)", ("avg", ("pod",), False)),
        ("sum without (pod) (a)", ("sum", ("pod",), True)),
        ("sum by () (a)", ("sum", (), False)),
        ("avg(a) / 2", None),
        ("sum(avg(a))", ("sum", (), False)),
        ("(a) + (b)", None),
        ("avg_over_time(a[5m])", ("avg_over_time", (), False)),
        ("", None),
        ('AVG By ("pod") (a)', ("avg", ("pod",), False)),
    ],
)
def test_the_aggregation_of_a_query(query: str, expected: tuple[str, tuple[str, ...], bool] | None) -> None:
    part = read_query(query)
    whole = part if part and part.kind in ("call", "aggregation") else None
    assert (whole and (whole.name, whole.by, whole.without)) == expected


@for_each(("query", "expected"), [("a", False), ("rate(a[5m])", False), ("100 * max(a)", True), ("scalar(a)", True)])
def test_which_queries_are_aggregated(query: str, expected: bool) -> None:
    assert is_aggregated(_whole(query)) is expected


SELECTORS = {
    "a metric alone": ("up", ["up"]),
    "with labels": ('sum(rate(a{b="c", d=~"e|f"}[5m]))', ["a"]),
    "grouping labels do not count": ("sum by (pod, node) (a) / on (pod) group_left (team) b", ["a", "b"]),
    "grouping after the brackets": ("sum(a) without (pod)", ["a"]),
    "by name": ('{__name__="a", pod!=""}', ["a"]),
    "offset and subquery": ("max_over_time(a[1h:5m] offset 1d) unless b", ["a", "b"]),
    "comments and strings": ('a{x="by (b)"} # c\n', ["a"]),
    "words of the language": ("a > bool 1 and on () vector(inf)", ["a"]),
    "numbers with units": ("a * 1e3 + 0x10 > 5", ["a"]),
    "nothing": ("", []),
    "no end": ('sum(a{b="c"', []),
    "quoted": ('{"a.b", c="d"} + "e"', []),
    "a name in quotes": ('{"a.b", c="d"}', ["a.b"]),
    "raw strings": ("a{b=~`\\d+`} + 1_000", ["a"]),
}


@for_each(("text", "expected"), SELECTORS.values(), ids=SELECTORS)
def test_which_metrics_a_query_asks_for(text: str, expected: list[str]) -> None:
    assert [selector.metric for selector in selectors(read_query(text))] == expected


@for_each(
    ("operator", "value", "wants"),
    [
        ("=", "a", True),
        ("=", "", False),
        ("=~", "a.*", True),
        ("=~", ".*", False),
        ("!=", "", True),
        ("!=", "a", False),
    ],
)
def test_which_matchers_need_the_label(operator: str, value: str, wants: bool) -> None:
    (selector,) = selectors(read_query(f'm{{l{operator}"{value}"}}'))
    assert selector.matchers == (Matcher("l", operator, value),)
    assert selector.matchers[0].wants_label is wants


def test_what_a_query_combines() -> None:
    assert operators(read_query("(100 * sum(a - b) / c) > 0")) == {"*", "-", "/", ">"}
    assert operators(read_query("-a and b")) == {"-", "and"}
    assert operators(read_query("a +")) == frozenset()


def test_what_is_compared_with_a_number() -> None:
    parts = comparison(read_query("(avg by (Hostname) (a) >= 2.5)"))
    assert parts
    assert parts[1] == 2.5
    assert selectors(parts[0]) == (("a", ()),)
    assert comparison(read_query("a > -2")) == (read_query("a"), -2.0)
    assert comparison(read_query("a > b")) is None
    assert comparison(read_query("1 < a")) is None
    assert comparison(read_query("a * 2 > 1")) is None


def test_the_text_of_a_matcher_is_what_prometheus_compares() -> None:
    (quoted,) = selectors(read_query(r'm{l=~"\\d\"",n!=""}'))
    (raw,) = selectors(read_query(r"m{l=~`\d\"`}"))
    assert quoted.matchers == (Matcher("l", "=~", r'\d"'), Matcher("n", "!=", ""))
    assert raw.matchers == (Matcher("l", "=~", r"\d\""),)


def _whole(query: str) -> Part:
    part = read_query(query)
    assert part, query
    return part


@for_each(
    "function", ["avg", "count", "group", "max", "min", "quantile", "stddev", "stdvar", "sum", "scalar", "absent"]
)
def test_functions_whose_answer_is_one_series(function: str) -> None:
    argument = "0.9, a" if function == "quantile" else "a"
    assert is_aggregated(_whole(f"{function}({argument})"))
    assert not is_aggregated(_whole("rate(a[5m])"))


@for_each("text", ["[inf", "offset nan", "[1e9", "[12345678901234d]"])
def test_durations_inside_strings_do_no_harm(text: str) -> None:
    assert [selector.metric for selector in selectors(read_query(f'up{{a="{text}"}}'))] == ["up"]
    assert [selector.metric for selector in selectors(read_query(f"up{{a=`{text}`}}"))] == ["up"]
