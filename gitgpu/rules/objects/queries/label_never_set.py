"""A query by a label that the DCGM exporter does not set."""

from collections.abc import Iterator
from itertools import product

from gitgpu.access import mapping_at
from gitgpu.diagnostic import Severity
from gitgpu.objects.monitoring.monitors import chart_monitors, endpoints
from gitgpu.objects.monitoring.queries import queries
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_RELABELINGS = ("relabelings", "metricRelabelings")


def _check(objects: Objects) -> Iterator[Finding]:
    never = objects.catalog.must("dcgm", "fields")["noLabels"]
    for query in queries(objects):
        for selector in query.of_dcgm:
            # `deployment=""` matches series without the label.
            required = dict.fromkeys(matcher.label for matcher in selector.matchers if matcher.wants_label)
            for label in required:
                if label in never and label not in _relabelled(objects):
                    message = f"{selector.metric} has no label '{label}': the DCGM exporter does not set it"
                    remedy = 'select pods, such as namespace="serving", pod=~"chat-.*"'
                    yield Finding(query.item, query.pointer, message, remedy)


def _relabelled(objects: Objects) -> set[str]:
    """The labels that relabelings of monitors add."""
    monitors = [endpoint.body for endpoint in endpoints(objects)]
    monitors += (settings for _, _, settings in chart_monitors(objects))
    labels: set[str] = set()
    for settings, key in product(monitors, _RELABELINGS):
        relabelings = filter(None, map(mapping_at, settings.get(key) or ()))
        labels.update(str(relabeling.get("targetLabel")) for relabeling in relabelings)
    return labels


RULE = Rule(
    code="MON003",
    name="label-never-set",
    twin="SCL018",
    severity=Severity.WARNING,
    summary="A query selects DCGM metrics by a label that they do not have, such as deployment.",
    help="The exporter sets the pod, namespace and container that use a GPU, not the owner of the pod. The query "
    "returns no data, which KEDA reads as 0. Only a relabeling outside these manifests could add the label.",
    sources=(
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/README.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/autoscale-gpu-workloads-with-keda.md",
    ),
    facts=("dcgm/fields",),
    check=_check,
)
