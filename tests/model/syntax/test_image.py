"""Image references as the kubelet parses them."""

import pytest

from gitgpu.model.metrics.endpoints import base_of, speaks_promql
from gitgpu.model.syntax.image import image_fault
from tests.helping.cases import for_each

SHA = "sha256:" + "0a" * 32


@for_each(
    "image",
    [
        "nginx",
        "nginx:1.27",
        "contoso.azurecr.io/team/chat:1.4",
        "localhost/chat",
        "localhost:5000/a_b/c__d/e--f.g:v1.2-rc_1",
        "[2001:db8::1]:5000/chat",
        f"nvcr.io/nvidia/k8s/dcgm-exporter:4.2.0-4.1.0-ubuntu22.04@{SHA}",
        f"chat@{SHA}",
        "UPPER/chat",
        "Host.example.com/chat",
        "chat:" + "t" * 128,
        "contoso.azurecr.io/" + "a" * 255,
    ],
)
def test_what_kubelet_reads(image: str) -> None:
    assert image_fault(image) == ""


@for_each(
    ("image", "reason"),
    [
        ("https://contoso.azurecr.io/x:1", "no scheme"),
        ("docker://nginx", "no scheme"),
        ("contoso.azurecr.io/Chat:1", "lowercase"),
        ("Chat", "lowercase"),
        (" nginx", "whitespace"),
        ("nginx: 1", "whitespace"),
        ("nginx:" + "t" * 129, "its tag has 129 characters"),
        ("contoso.azurecr.io/" + "a" * 256, "its repository has 256 characters"),
        ("nginx@sha256:abc", "not a digest"),
        ("nginx@sha256:" + "0" * 63, "64 lowercase hexadecimal digits"),
        ("nginx@sha256:" + "A" * 64, "64 lowercase hexadecimal digits"),
        ("nginx:", "not have the form"),
        ("a//b", "not have the form"),
        ("/nginx", "not have the form"),
        ("-a/b", "not have the form"),
        ("nginx:1:2", "not have the form"),
        ("", "empty"),
    ],
)
def test_what_kubelet_refuses(image: str, reason: str) -> None:
    assert reason in image_fault(image)


@pytest.mark.parametrize("path", ["/api/v1/query", "/api/v1/query/", "/api/v1/query_range"])
def test_the_path_that_is_added_is_not_a_part_of_an_address(path: str) -> None:
    assert base_of(f"http://prometheus:9090{path}") == "http://prometheus:9090"
    assert base_of(f"http://prometheus:9090/prefix{path}") == "http://prometheus:9090/prefix"


def test_other_paths_are_left() -> None:
    for address in ("http://mimir/prometheus", "http://x/api/v1", "http://x/api/v1/query/of/mine", "http://x/"):
        assert base_of(address) == address


def test_servers_of_other_languages() -> None:
    assert speaks_promql("http://prometheus.monitoring:9090")
    assert not speaks_promql("http://vmselect.monitoring:8481/select/0/prometheus")
    assert not speaks_promql("http://loki:3100/loki")
