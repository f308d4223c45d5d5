"""A duplicate counter in a list."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.monitoring.counter_lists import counter_lists
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for counters in counter_lists(objects):
        first: dict[str, int] = {}
        for line in counters.lines:
            name = line.fields[0] if line.fields else ""
            if name in first:
                message = f"line {line.number}: duplicate counter {name} (first on line {first[name]})"
                yield Finding(counters.item, counters.pointer, message, "remove one of the two lines")
            elif name:
                first[name] = line.number


RULE = Rule(
    code="MON011",
    name="duplicate-counter",
    severity=Severity.WARNING,
    summary="A counter list for the DCGM exporter has a duplicate field.",
    help="The exporter keeps all lines but uses the first one for each field, so it ignores the type and the help "
    "text of the second.",
    sources=(
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/internal/pkg/counters/counter_config.go",
        "https://github.com/NVIDIA/dcgm-exporter/blob/1b5e07fbce37b72aaed4d19a691a9edb3874a232/internal/pkg/collector/gpu_collector.go",
    ),
    check=_check,
)
