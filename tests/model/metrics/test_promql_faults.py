"""Queries that Prometheus rejects, with reason and position, and queries that only the parser rejects."""

from hypothesis import given
from hypothesis import strategies as st

from gitgpu.model.metrics.promql import read_query
from gitgpu.model.metrics.promql_faults import refusal
from gitgpu.model.metrics.promql_text import tokens
from tests.helping.cases import for_each

REFUSED = {
    "a value without quotes": ("sum(q{service=app})", "expected string (column 15 of the query, at 'app')"),
    "a comparison as a matcher": ('sum(q{service=="app"})', "unexpected '=' in label matching"),
    "a range where a vector belongs": ("sum(x[5m])", "got range vector (column 6 of the query, at '[')"),
    "a vector where a range belongs": ("rate(x)", "expected type range vector"),
    "an invalid unit": ("rate(x[5min])", "bad number or duration syntax"),
    "months": ("rate(x[1M])", "bad number or duration syntax: 1M"),
    "nothing after an operator": ("sum(x) >", "it ends unexpectedly"),
    "a variable of Grafana": ("rate(x[$__rate_interval])", "'$' (column 8 of the query, at '$')"),
    "a bracket that is not closed": ("sum(x", "unclosed left parenthesis"),
    "a bracket that closes nothing": ("sum(a))", "unexpected right parenthesis ')' (column 7 "),
    "another bracket": ("sum(a]", "unexpected right bracket ']'"),
    "an unterminated text": ('a{b="c}', "unterminated quoted string"),
    "unclosed braces": ('a{b="c"', "unexpected end of input inside braces"),
    "grouping without brackets": ("avg(a) by pod", "unexpected pod (column 11 of the query, at 'pod')"),
    "grouping twice": ("sum(x) by (a) without (b)", "unexpected without (column 15 "),
    "a hyphen in a label": ("sum by (node-name) (x)", "unexpected - (column 13 "),
    "an unknown function": ("mean(x)", "unknown function with name 'mean'"),
    "too few arguments": ("topk(x)", "expected 2, got 1"),
    "too many arguments": ("time(1)", "expected 0 argument(s)"),
    "a set of numbers": ("a or 1", "set operator 'or' not allowed"),
    "numbers compared": ("1 > 2", "must use BOOL modifier"),
    "no series at all": ("{}", "at least one non-empty matcher"),
    "an invalid regular expression": ('x{a=~"("}', "illegal regex for ("),
    "an invalid escape": (r'x{a=~"\d+"}', "unknown escape sequence 'd'"),
    "typographic quotes": ("x{a=\u201cb\u201d}", "(column 5 "),
    "words of another language": ("a && b", "unexpected character: '&' (column 3 "),
    "an assignment": ("a = 1", "unexpected = (column 3 "),
    "a date": ("x @ 2026-01-01T00:00", "column"),
    "a comment alone": ("# up", "no expression"),
    "the second of two lines": ("sum(a)\n  / sum(b) by pod", "unexpected pod (line 2, column 15 of the query"),
    "far inside": ('sum(rate(a{job="a"}[5m])) / sum(rate(b{job=c}[5m]))', "column 44 of the query, at 'c'"),
    "a range on an aggregation": ("rate(sum(x)[5m])", "ranges only allowed for vector selectors"),
}
READ = {
    "names of Prometheus 3": '{"metric.name", "a.b"="c"}',
    "labels to group by in quotes": 'sum by ("a.b") (x)',
    "labels to group by with a colon": "sum by (a:b) (x)",
    "raw strings": r"x{a=~`\d+[^\/]*`}",
    "a regular expression of RE2": r"x{a=~`\Qa.b\E`, b=~`(?i)a`, c=~`x{,5}`}",
    "modifiers in any order": "sum_over_time(x[5m] offset -1w @ start())",
    "a time": "x @ 1603774568.5 offset 5",
    "subqueries": "max_over_time(rate(x[5m])[1h:])",
    "numbers": "0x1F + 1_000 + .5e3 + NaN - Inf",
    "a duration as a number": "x > 5m",
    "units together": "rate(x[1h30m15s20ms])",
    "experimental functions": 'sort_by_label(mad_over_time(x[5m]), "a")',
    "experimental aggregations": "limitk(2, x) or limit_ratio(-0.5, x)",
    "histograms": "histogram_quantile(0.9, rate(x[5m])) + histogram_avg(x) + histogram_fraction(0, 1, x)",
    "information": "info(x, {a=~'.*'})",
    "arithmetic of durations": "rate(x[5m*2+step()]) + y offset (1h-5m)",
    "what is filled in": "a + on (b) fill (0) c",
    "extended ranges": "rate(x[5m] smoothed) + y anchored",
    "trimmed histograms": "x </ 5 + x >/ 1",
    "operators in any case": "a AND on (b) c UNLESS d",
    "commas at the end": 'sum by (a,) (x{b="c",})',
    "words as labels": 'a{by="a", sum="b"} + ignoring (offset) group_left (bool) c',
    "comments": "sum(a) # )",
    "brackets in strings": 'a{b=\'}\'} + a{b="\\""}',
    "lines": "sum(\n  a\n)\n  / b\n",
    "a number or a text alone": '"text"',
    "a range alone": "x[5m]",
}


@for_each(("query", "expected"), REFUSED.values(), ids=REFUSED)
def test_what_prometheus_refuses_is_reported_with_its_place(query: str, expected: str) -> None:
    refused = refusal(query)
    assert refused
    assert expected in refused.reason
    assert refused.remedy
    assert read_query(query) is None


TRY = "correct the query there, and try it in Prometheus before you commit it"
CLOSE = "close all brackets and quotes"


@for_each(
    ("query", "remedy"),
    [
        ("rate(x[5min])", "write the duration as a number and ms, s, m, h, d, w or y, such as 5m"),
        ("rate(x[])", "write the duration as a number and ms, s, m, h, d, w or y, such as 5m"),
        ("sum(x", CLOSE),
        ("sum(a))", CLOSE),
        ('a{b="c}', CLOSE),
        ('a{b="c"', CLOSE),
        ("up @", TRY),
        ("sum(x) >", TRY),
    ],
)
def test_what_to_do_about_a_refused_query(query: str, remedy: str) -> None:
    refused = refusal(query)
    assert refused
    assert refused.remedy == remedy


def test_a_long_text_that_is_no_query_has_no_place() -> None:
    refused = refusal("up " * 1500)
    assert refused
    assert refused.reason == "it is not PromQL"


@for_each("query", READ.values(), ids=READ)
def test_what_prometheus_reads_is_not_reported(query: str) -> None:
    assert refusal(query) is None


@for_each(
    "query",
    [
        "(" * 5000 + "x" + ")" * 5000,
        "1" + "+1" * 5000,
        "-(" * 3000 + "x" + ")" * 3000,
        "abs(" * 4000 + "x",
        "x[1e30]",
        "x[5m:99999999999999999999]",
        "x offset -Inf",
        "x[5m] offset NaN",
    ],
)
def test_what_could_end_the_process_is_not_parsed(query: str) -> None:
    assert read_query(query) is None
    assert refusal(query) is None


def test_a_long_query_is_read() -> None:
    query = " or ".join(f'sum by (pod) (rate(a{{b="{number}"}}[5m])) > 0' for number in range(30))
    assert read_query(query)
    assert refusal(query) is None


@given(
    st.lists(
        st.sampled_from(
            [
                "sum",
                "x",
                "(",
                ")",
                "{",
                "}",
                "[",
                "]",
                "5m",
                "by",
                '"',
                "$",
                "\\",
                "é",
                "`",
                "\n",
                "=",
                "1",
                ",",
                "-",
                "offset",
            ]
        )
    )
)
def test_any_text_gets_an_answer(words: list[str]) -> None:
    query = " ".join(words)
    refused = refusal(query)
    assert refused is None or read_query(query) is None
    assert all(query[piece.start : piece.end] == piece.text for piece in tokens(query))
