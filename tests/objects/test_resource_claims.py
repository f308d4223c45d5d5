"""The device classes that a claim asks for, in each version of its API."""

from typing import Any

from gitgpu.objects.objects import Item, identity
from gitgpu.objects.schema.contract import Scope
from gitgpu.objects.workload.resource_claims import requests
from tests.helping.cases import for_each
from tests.rules.objects.samples import somewhere

GPU, MIG = {"deviceClassName": "gpu.nvidia.com"}, {"deviceClassName": "mig.nvidia.com"}


@for_each(
    ("request_", "expected"),
    [
        ({"exactly": GPU}, [(("exactly",), "gpu.nvidia.com")]),
        (
            {"firstAvailable": [GPU, MIG]},
            [(("firstAvailable", 0), "gpu.nvidia.com"), (("firstAvailable", 1), "mig.nvidia.com")],
        ),
        ({"firstAvailable": [None, MIG]}, [(("firstAvailable", 1), "mig.nvidia.com")]),
        (GPU, [((), "gpu.nvidia.com")]),
        ({"exactly": {"count": 1}}, [(("exactly",), "")]),
        (None, []),
    ],
)
@for_each("kind", ["ResourceClaim", "ResourceClaimTemplate"])
def test_the_classes_of_a_request(kind: str, request_: Any, expected: list[tuple[tuple[str | int, ...], str]]) -> None:
    devices = {"devices": {"requests": [{"exactly": GPU}, request_]}}
    spec = {"spec": devices} if kind.endswith("Template") else devices
    body = {"apiVersion": "resource.k8s.io/v1", "kind": kind, "metadata": {"name": "a"}, "spec": spec}
    at = ("spec", "spec") if kind.endswith("Template") else ("spec",)
    first, *others = requests(Item(somewhere(body)[0], identity(body), Scope.NAMESPACED))
    assert first.pointer == (*at, "devices", "requests", 0, "exactly", "deviceClassName")
    assert [(other.pointer, other.device_class) for other in others] == [
        ((*at, "devices", "requests", 1, *form, "deviceClassName"), name) for form, name in expected
    ]
