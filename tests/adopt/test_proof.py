"""The objects that documents compile to, compared with running workloads."""

from typing import Any

from gitgpu.adopt.adoption import SpecDocument
from gitgpu.adopt.workloads.proof import CompiledObjects, compile_each
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
    """The workloads for which a patch is emitted."""
    return sorted(compile_each(COMMON, documents, "lab", CATALOG).patches)


def test_a_document_that_cannot_be_compiled_does_not_affect_others() -> None:
    unlinked = workload("unlinked", pools=["unknown"])
    unplanned = workload("unplanned", scaling={"engine": "hpa", "metric": "query", "query": "a", "target": 1, "max": 2})
    assert patched(workload("one"), workload("two")) == ["serving.one", "serving.two"]
    for bad in (unlinked, unplanned):
        assert patched(workload("one"), bad, workload("two")) == ["serving.one", "serving.two"]
        assert patched(bad) == []
    assert patched(unplanned, unlinked) == []
    assert compile_each(COMMON, [], "lab", CATALOG) == CompiledObjects({}, {})
    assert compile_each(COMMON, [workload("one")], "other", CATALOG) == CompiledObjects({}, {})
