"""A counter that is not a DCGM field of the exporter."""

from collections.abc import Iterator
from itertools import chain

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.metrics.dcgm_fields import closest_field
from gitgpu.model.value_origins import stack_place
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """One finding for each place that names it, regardless of how many clusters take it from the defaults."""
    own_lists = [cluster for cluster in inputs.clusters if isinstance(cluster.stack.metrics.counters, tuple)]
    rows = inputs.catalog.rows("counters") if own_lists else {}
    exported = sorted(chain.from_iterable(row["fields"] for row in rows.values()))
    findings: dict[object, Finding] = {}
    for cluster in own_lists:
        origin, where = stack_place(cluster, "metrics", "counters")
        for index, field in enumerate(cluster.stack.metrics.counters):
            if field not in exported:
                closest = closest_field(field, exported, inputs.catalog)
                remedy = f"did you mean {closest}?" if closest else "use a name from NVIDIA's list of DCGM fields"
                message = f"unknown DCGM field {field}"
                findings[origin.ref, where, index] = Finding(origin, (*where, index), message, remedy)
    yield from findings.values()


RULE = Rule(
    code="MET001",
    name="invalid-counter-list",
    twin="MON010",
    severity=Severity.ERROR,
    summary="stack.metrics.counters lists a field that DCGM does not have.",
    help="The exporter stops at a line that it cannot parse, and then exports no metrics of the node at all.",
    sources=(
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/etc/default-counters.csv",
        "https://docs.nvidia.com/datacenter/dcgm/latest/dcgm-api/dcgm-api-field-ids.html",
    ),
    facts=("dcgm/fields",),
    check=_check,
)
