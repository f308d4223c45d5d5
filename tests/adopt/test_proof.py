"""What documents make of workloads."""

from typing import Any

from gitgpu.adopt.adoption import SpecDocument
from gitgpu.adopt.workloads.proof import Made, made_each
from tests.adopt.test_recorded_imports import CATALOG
from tests.adopt.test_workloads import POOL

COMMON = [
    SpecDocument("Fleet", "contoso", {"delivery": {"repository": "https://github.com/contoso/gpus"}}),
    SpecDocument("Cluster", "lab", {"region": "swedencentral", "kubernetesVersion": "1.36"}),
    SpecDocument("GpuPool", "a100", POOL),
]


def workload(name: str, **more: Any) -> SpecDocument:
    """A workload on the pool."""
    spec = {"pools": ["a100"], "target": {"kind": "Deployment", "name": name}, **more}
    return SpecDocument("GpuWorkload", name, spec, "serving")


def patched(*documents: SpecDocument) -> list[str]:
    """The workloads that get a patch."""
    return sorted(made_each(COMMON, documents, "lab", CATALOG).patches)


def test_a_document_that_cannot_be_compiled_leaves_the_others() -> None:
    bad = workload("bad", pools=["unknown"])
    assert patched(workload("one"), workload("two")) == ["serving.one", "serving.two"]
    assert patched(workload("one"), bad, workload("two")) == ["serving.one", "serving.two"]
    assert patched(bad) == []
    assert made_each(COMMON, [], "lab", CATALOG) == Made({}, {})
    assert made_each(COMMON, [workload("one")], "other", CATALOG) == Made({}, {})
