"""A list of counters without the fields that the default alerts need."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Catalog
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.stack import Metrics
from gitgpu.model.value_origins import stack_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.spelling import join_names

PRESETS = ("standard", "profiling")  # a list of counters replaces these


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters whose list removes alerts that they would have with a preset."""
    for cluster in inputs.clusters:
        metrics = cluster.stack.metrics
        if metrics.alerts and metrics.exporter and (lost := _lost(metrics, inputs.catalog)):
            origin, where = stack_place(cluster, "metrics", "counters")
            message = f"with these counters, {cluster.name} does not get the alerts {join_names(sorted(lost))}"
            fields = join_names(sorted({fields[0] for fields in lost.values()}))
            yield Finding(origin, where, message, f"add {fields}")


def _lost(metrics: Metrics, catalog: Catalog) -> dict[str, list[str]]:
    """The alerts that a preset supports but the list does not, and the fields that each needs."""
    if not isinstance(metrics.counters, tuple):
        return {}
    preset_fields = set().union(*(catalog.must("counters", preset)["fields"] for preset in PRESETS))
    lost = {}
    for row in catalog.rows("alerts").values():
        wanted = [term["fields"] for term in row["terms"]]
        possible = [fields for fields in wanted if preset_fields.issuperset(fields)]
        listed = [fields for fields in wanted if set(metrics.counters).issuperset(fields)]
        if "alert" in row and possible and not listed:
            lost[row["alert"]] = possible[-1]  # the term for GPUs without the fields of the others
    return lost


RULE = Rule(
    code="MET006",
    name="alerts-without-counters",
    severity=Severity.WARNING,
    summary="stack.metrics.counters does not list fields that the default alerts need.",
    help="gitgpu omits an alert whose field is not exported, because it could never fire. alerts: true alone "
    "suggests that all default alerts exist.",
    sources=(
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/etc/default-counters.csv",
    ),
    facts=("alerts/*",),
    check=_check,
)
