"""Addresses of metrics servers: which of them support PromQL, and where their API starts."""

import pytest

from gitgpu.model.metrics.endpoints import base_of, speaks_promql
from tests.helping.cases import for_each


@for_each(
    "address",
    [
        "http://victoria-metrics.monitoring:80",
        "http://VMSelect.monitoring:80",
        "http://vmsingle.monitoring:80",
        "http://vmauth.monitoring:80",
        "http://metrics.monitoring:8428",
        "http://metrics.monitoring:8481",
        "http://metrics.monitoring/select/0/prometheus",
        "http://loki.monitoring:3100",
    ],
)
def test_servers_with_another_language(address: str) -> None:
    assert not speaks_promql(address)


@pytest.mark.parametrize("address", ["http://prometheus.monitoring:9090", "https://x.prometheus.monitor.azure.com"])
def test_servers_that_answer_promql(address: str) -> None:
    assert speaks_promql(address)


@for_each(
    ("address", "base"),
    [
        ("http://p:9090", "http://p:9090"),
        ("http://p:9090/api/v1/query", "http://p:9090"),
        ("http://p:9090/prefix/api/v1/query_range/", "http://p:9090/prefix"),
        ("http://p:9090/api/v1/query/more", "http://p:9090/api/v1/query/more"),
    ],
)
def test_the_query_path_is_removed(address: str, base: str) -> None:
    assert base_of(address) == base
