"""A list of counters that the DCGM exporter cannot read."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from gitgpu.conform.monitoring.counter_lists import Line, counter_lists
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Catalog
from gitgpu.spelling import nearest

_PARTS = 3


def _check(objects: Objects) -> Iterator[Finding]:
    for one in counter_lists(objects):
        facts = objects.catalog.must("dcgm", "fields")
        for line in one.lines:
            message, remedy = _fault(line, facts, _listed(objects.catalog))
            if message:
                yield Finding(one.item, one.pointer, f"line {line.number}: {message}", remedy)


def _listed(catalog: Catalog) -> set[str]:
    """The fields that rows of counters name, those of the user's own catalog included."""
    return {field for row in catalog.rows("counters").values() for field in row["fields"]}


def _fault(line: Line, facts: Mapping[str, Any], listed: Collection[str]) -> tuple[str, str]:
    if len(line.fields) != _PARTS:
        message = f"the exporter reads three columns, and here are {len(line.fields)}"
        return message, "write name, type, help; the help may hold no comma, and # begins a comment in column 1 only"
    name, kind, _ = line.fields
    known = {*facts["fields"], *facts["exporterFields"], *facts["oldNames"], *listed}
    if name not in known:
        near = facts["instead"].get(name) or nearest(name, known, 0.8)
        return f"DCGM has no field '{name}'", f"did you mean {near}?" if near else "remove the line"
    if kind not in facts["types"] and name not in facts["exporterFields"]:  # of its own the exporter knows the type
        return f"there is no metric type '{kind}'", f"write one of {', '.join(facts['types'])}"
    return "", ""


RULE = Rule(
    code="MON010",
    name="broken-counter-list",
    severity=Severity.ERROR,
    summary="A list of counters has a line that is not name, type, help, or names a field or type that is not known.",
    help="The exporter stops at the first line that it cannot read, so no node reports anything.",
    sources=(
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/internal/pkg/counters/counter_config.go",
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/internal/pkg/counters/variables.go",
    ),
    check=_check,
    bad="""
apiVersion: v1
kind: ConfigMap
metadata: {name: counters, namespace: gpu-operator}
data:
  dcgm-metrics.csv: |
    DCGM_FI_DEV_GPU_UTIL, Gauge, share of time the GPU was busy
    DCGM_FI_DEV_SM_UTIL, gauge, share of time an SM was busy
    DCGM_FI_DEV_FB_USED, gauge, GPU memory in use, in MiB
""",
    good="""
apiVersion: v1
kind: ConfigMap
metadata: {name: counters, namespace: gpu-operator}
data:
  dcgm-metrics.csv: |
    # name, type, help
    DCGM_FI_DEV_GPU_UTIL, gauge, share of time the GPU was busy
    DCGM_FI_DEV_FB_USED, gauge, GPU memory in use in MiB
    DCGM_FI_DRIVER_VERSION, label, driver version
""",
)
