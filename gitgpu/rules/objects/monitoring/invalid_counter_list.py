"""A counter list that the DCGM exporter cannot read."""

from collections.abc import Collection, Iterator
from itertools import chain

from gitgpu.diagnostic import Problem, Severity
from gitgpu.model.catalog import Catalog
from gitgpu.model.metrics.dcgm_fields import closest_field
from gitgpu.objects.monitoring.counter_lists import Line, counter_lists
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_PARTS = 3  # name, type, help


def _check(objects: Objects) -> Iterator[Finding]:
    for counters in counter_lists(objects):
        known = objects.once_per_run("fields of counter lists", lambda: _fields(objects.catalog))
        for line in counters.lines:
            fault = _fault(line, known, objects.catalog)
            if fault:
                message = f"line {line.number}: {fault.message}"
                yield Finding(counters.item, counters.pointer, message, fault.remedy)


def _fields(catalog: Catalog) -> frozenset[str]:
    """Every field of DCGM and the exporter, and those in rows of counters of the user's own catalog."""
    facts = catalog.must("dcgm", "fields")
    counters = chain.from_iterable(row["fields"] for row in catalog.rows("counters").values())
    return frozenset((*facts["fields"], *facts["exporterFields"], *facts["oldNames"], *counters))


def _fault(line: Line, known: Collection[str], catalog: Catalog) -> Problem | None:
    if len(line.fields) != _PARTS:
        message = f"a counter needs three columns, but this line has {len(line.fields)}"
        remedy = "use name, type, help; the help text cannot contain a comma, and # starts a comment only in column 1"
        return Problem(message, remedy)
    name, kind, _ = line.fields
    if name not in known:
        closest = closest_field(name, known, catalog)
        return Problem(f"unknown DCGM field '{name}'", f"did you mean {closest}?" if closest else "remove the line")
    facts = catalog.must("dcgm", "fields")
    # The exporter sets the type of its own fields.
    if kind not in facts["types"] and name not in facts["exporterFields"]:
        return Problem(f"unknown metric type '{kind}'", f"use one of {', '.join(facts['types'])}")
    return None


RULE = Rule(
    code="MON010",
    name="invalid-counter-list",
    twin="MET001",
    severity=Severity.ERROR,
    summary="A counter list has a line that is not name, type, help, or an unknown field or type.",
    help="The exporter exits at the first line that it cannot parse, so no node reports metrics.",
    sources=(
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/internal/pkg/counters/counter_config.go",
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/internal/pkg/counters/variables.go",
    ),
    facts=("dcgm/fields",),
    check=_check,
)
