"""A query for a DCGM field that does not exist."""

from collections.abc import Iterator
from itertools import chain

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Catalog
from gitgpu.model.inputs import Inputs
from gitgpu.model.metrics.dcgm_fields import closest_field
from gitgpu.model.metrics.promql import read_query, selectors
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import signals


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Queries for names that look like DCGM fields. A name with a colon belongs to a recording rule."""
    for workload, _, signal in signals(inputs):
        prefix = inputs.catalog.must("series", "dcgm")["prefix"]
        parsed = read_query(signal.query) if signal.metric == "query" and signal.query else None
        names = [selector.metric for selector in selectors(parsed)]
        fields = [name for name in names if name.startswith(prefix) and ":" not in name]
        existing = _fields(inputs.catalog) if fields else ()
        for name in dict.fromkeys(name for name in fields if name not in existing):
            closest = closest_field(name, existing, inputs.catalog)
            if closest in inputs.catalog.must("dcgm", "fields")["ratios"] and signal.target > 1:
                closest = f"'100 * {closest}'"  # it ranges from 0 to 1
            remedy = (
                f"use {closest}, or another DCGM field" if closest else "use a name from NVIDIA's list of DCGM fields"
            )
            message = f"{name} is not a DCGM field, so nothing exports it"
            yield Finding(workload.origin, (*signal.place, "query"), message, remedy)


def _fields(catalog: Catalog) -> tuple[str, ...]:
    """Every DCGM field, with those that the user's catalog adds."""
    row = catalog.must("dcgm", "fields")
    counters = chain.from_iterable(counter_list["fields"] for counter_list in catalog.rows("counters").values())
    return (*row["fields"], *row["exporterFields"], *counters)


RULE = Rule(
    code="SCL017",
    name="unknown-dcgm-metric",
    twin="MON001",
    severity=Severity.ERROR,
    summary="The query that a workload scales on uses a DCGM field that does not exist.",
    help="Some names that DCGM never had are widely copied in documentation. KEDA reads an empty query result as 0.",
    sources=(
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/etc/default-counters.csv",
        "https://docs.nvidia.com/datacenter/dcgm/latest/dcgm-api/dcgm-api-field-ids.html",
    ),
    facts=("dcgm/fields",),
    check=_check,
)
