"""Device names, and the pods and Services that a monitor selects."""

from gitgpu.objects.monitoring.monitors import Endpoint
from gitgpu.objects.objects import Item, Objects, identity
from gitgpu.objects.schema.contract import Scope
from gitgpu.objects.workload.devices import device_row, intended_device
from tests.helping.cases import for_each
from tests.rules.objects.samples import shared_norms, somewhere

NONE = Objects((), frozenset(), shared_norms().catalog, shared_norms().kinds, "1.36")


@for_each(
    ("name", "manufacturer"),
    [
        ("nvidia.com/gpu", "nvidia"),
        ("nvidia.com/gpu.shared", "nvidia"),
        ("nvidia.com/mig-1g.10gb", "nvidia"),
        ("nvidia.com/mig-", "nvidia"),
        ("amd.com/gpu", "amd"),
        ("nvidia.com/gpus", None),
        ("amd.com/mig-1g.10gb", None),
        ("cpu", None),
        ("", None),
    ],
)
def test_the_manufacturer_of_a_device(name: str, manufacturer: str | None) -> None:
    row = device_row(name, NONE)
    assert (row["manufacturer"] if row else None) == manufacturer


@for_each(
    ("name", "right"),
    [
        ("nvidia.com/gpu", ""),
        ("nvidia.com/gpus", "nvidia.com/gpu"),
        ("nvidia.com/GPU", "nvidia.com/gpu"),
        ("nvida.com/gpu", "nvidia.com/gpu"),
        ("amd.com/gpus", "amd.com/gpu"),
        ("example.com/gpu", ""),
        ("cpu", ""),
    ],
)
def test_a_misspelt_device(name: str, right: str) -> None:
    assert intended_device(name, NONE) == right


def endpoint(spec: dict[str, object], **body: object) -> Endpoint:
    """An endpoint of a ServiceMonitor in namespace `monitoring`."""
    whole = {
        "apiVersion": "monitoring.coreos.com/v1",
        "kind": "ServiceMonitor",
        "metadata": {"name": "m", "namespace": "monitoring"},
        "spec": spec,
    }
    (given,) = somewhere(whole)
    return Endpoint(Item(given, identity(whole), Scope.NAMESPACED), ("spec", "endpoints", 0), body)


@for_each(
    ("selector", "alone", "dcgm"),
    [
        ({"matchLabels": {"app": "nvidia-dcgm-exporter"}}, True, True),
        ({"matchLabels": {"app": "web"}}, True, False),
        ({"matchLabels": {"app": "web", "part": "dcgm-exporter"}}, True, True),
        (
            {"matchLabels": {"app": "dcgm-exporter"}, "matchExpressions": [{"key": "a", "operator": "Exists"}]},
            False,
            True,
        ),
        ({"matchExpressions": [{"key": "a", "operator": "Exists"}]}, False, False),
        ({}, False, False),
    ],
)
def test_what_a_monitor_selects(selector: dict[str, object], alone: bool, dcgm: bool) -> None:
    parsed = endpoint({"selector": selector})
    assert (parsed.only_labels, parsed.of_dcgm) == (alone, dcgm)
    assert parsed.selector == selector.get("matchLabels", {})


@for_each(
    ("chosen", "seen"),
    [
        ({}, {"": True, "monitoring": True, "gpu": False}),
        ({"any": True}, {"": True, "monitoring": True, "gpu": True}),
        ({"any": False}, {"monitoring": True, "gpu": False}),
        ({"matchNames": ["gpu"]}, {"": True, "monitoring": False, "gpu": True}),
        ({"matchNames": []}, {"monitoring": True, "gpu": False}),
    ],
)
def test_the_namespaces_of_a_monitor(chosen: dict[str, object], seen: dict[str, bool]) -> None:
    parsed = endpoint({"namespaceSelector": chosen} if chosen else {})
    assert {namespace: parsed.sees(namespace) for namespace in seen} == seen


@for_each(("value", "honors"), [(True, True), (False, False), (None, False), ("true", False)])
def test_labels_that_honor_labels_keeps(value: object, honors: bool) -> None:
    assert endpoint({}, honorLabels=value).honors is honors
