"""PromQL as far as it is read: series with their labels, the outermost aggregation, what cannot be read."""

import pytest

from gitgpu.check.promql import aggregated, outermost, series, unreadable


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("up", [("up", ())]),
        ('sum(rate(http_requests_total{job="a",code=~"5.."}[5m]))', [("http_requests_total", ("job", "code"))]),
        ('sum by (pod) (DCGM_FI_DEV_GPU_UTIL{pod="x"})', [("DCGM_FI_DEV_GPU_UTIL", ("pod",))]),
        ("sum(a) by (pod) / on (pod) group_left (x) sum(b)", [("a", ()), ("b", ())]),
        ('{__name__="DCGM_FI_DEV_GPU_UTIL",pod!=""}', [("DCGM_FI_DEV_GPU_UTIL", ("__name__", "pod"))]),
        ("vllm:num_requests_waiting > bool 3 and on () b offset 5m", [("vllm:num_requests_waiting", ()), ("b", ())]),
        ('label_replace(up, "a", "$1", "b", "(.*)")', [("up", ())]),
        ("vector(1) # a{b}", []),
        ("max_over_time(a[1h:5m]) * 2.5e3", [("a", ())]),
        ('up{a="{b}",}', [("up", ("a",))]),
        ("by", [("by", ())]),
    ],
)
def test_series(query: str, expected: list[tuple[str, tuple[str, ...]]]) -> None:
    assert list(series(query)) == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("avg(a)", ("avg", ())),
        ("(avg(a))", ("avg", ())),
        ("avg by (pod) (a)", ("avg", ("pod",))),
        ("avg(a) by (pod)", ("avg", ("pod",))),
        ("sum without (pod) (a)", ("sum", ("others",))),
        ("sum by () (a)", ("sum", ())),
        ("avg(a) / 2", ("", ())),
        ("sum(avg(a))", ("sum", ())),
        ("(a) + (b)", ("", ())),
        ("avg_over_time(a[5m])", ("", ())),
        ("avg", ("", ())),
        ("", ("", ())),
    ],
)
def test_outermost(query: str, expected: tuple[str, tuple[str, ...]]) -> None:
    assert outermost(query) == expected


@pytest.mark.parametrize(
    ("query", "expected"), [("a", False), ("rate(a[5m])", False), ("100 * max(a)", True), ("scalar(a)", True)]
)
def test_aggregated(query: str, expected: bool) -> None:
    assert aggregated(query) is expected


@pytest.mark.parametrize(
    ("query", "word"),
    [
        ("sum(a", "not closed"),
        ("sum(a))", "closes nothing"),
        ("sum(a]", "closes nothing"),
        ('a{b="c}', "does not end"),
        ("a{b='}'}", ""),
        ('a{b="\\""}', ""),
        ("sum(a) # )", ""),
    ],
)
def test_unreadable(query: str, word: str) -> None:
    found = unreadable(query)
    assert (word in found) if word else not found
