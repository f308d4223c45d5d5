"""GPU memory compared with a number of bytes."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.metrics.promql import comparison, operators
from gitgpu.objects.monitoring.queries import rule_queries, trigger_queries
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_MIN_BYTES = 1e9  # far above any amount of GPU memory in MiB, 1 GB in bytes


def _check(objects: Objects) -> Iterator[Finding]:
    for query in (*trigger_queries(objects), *rule_queries(objects)):
        compared = None if query.trigger else comparison(query.parts)
        written = query.trigger.metadata.get("threshold") or "" if query.trigger else ""
        given, limit = compared or (query.parts, _as_number(written))
        # The query may convert the unit.
        scaled = not operators(given).isdisjoint(("*", "/"))
        names = {selector.metric for selector in query.selectors}
        if (
            limit < _MIN_BYTES
            or scaled
            or not names
            or not names <= set(objects.catalog.must("dcgm", "fields")["mebibytes"])
        ):
            continue
        message = f"{min(names)} is in MiB, but is compared with {limit:g}"
        place = query.trigger.place("threshold") if query.trigger else query.pointer
        yield Finding(query.item, place, message, "set the limit in MiB, such as 16384 for 16 GiB")


def _as_number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


RULE = Rule(
    code="MON016",
    name="memory-in-bytes",
    severity=Severity.WARNING,
    summary="A framebuffer metric of DCGM, which is in MiB, is compared with a number of bytes.",
    help="DCGM reports used, free and total memory in MiB, although some dashboards and documents say bytes. A limit "
    "in bytes is about a million times too high.",
    sources=(
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/etc/default-counters.csv",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/monitor-gpu-metrics.md",
    ),
    facts=("dcgm/fields",),
    check=_check,
)
