"""A query by pod with an exporter that does not map GPUs to pods."""

from collections.abc import Iterable, Iterator
from functools import cache, partial

from gitgpu.diagnostic import Severity
from gitgpu.load.validate.whole_texts import whole
from gitgpu.model.metrics.promql import Matcher
from gitgpu.objects.monitoring.monitors import EXPORTER, Exporter, exporters_alone
from gitgpu.objects.monitoring.pod_mapping import VARIABLE, maps_pods
from gitgpu.objects.monitoring.queries import POD_LABELS, queries
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_SUFFIX = "x7k2p"  # what Kubernetes appends to the name of a DaemonSet: five random letters and digits


def _check(objects: Objects) -> Iterator[Finding]:
    exporters = list(exporters_alone(objects))
    # One exporter that maps GPUs to pods can be the one that the query reads.
    if not exporters or any(maps_pods(exporter.container) is not False for exporter in exporters):
        return
    selects_exporter = cache(partial(_selects, exporters))  # queries share matchers
    for query in queries(objects):
        matchers = (matcher for matcher in query.dcgm_matchers if matcher.label in POD_LABELS)
        # A query for the exporter's own pods works without the mapping.
        label = next((matcher.label for matcher in matchers if not selects_exporter(matcher)), "")
        if label:
            message = f"no DCGM exporter here maps GPUs to pods, so the label '{label}' does not identify the workload"
            remedy = f'add {{name: {VARIABLE}, value: "true"}} to the env of the exporter\'s container'
            yield Finding(query.item, query.pointer, message, remedy)


def _selects(exporters: Iterable[Exporter], matcher: Matcher) -> bool:
    """Whether the matcher selects the pods or the container of one of the exporters."""
    if EXPORTER in matcher.value:
        return True
    pattern = whole(matcher.value)
    # A pattern that also matches other pods, such as .+, does not select the exporter.
    if pattern.matches(f"x-{_SUFFIX}"):
        return False
    for exporter in exporters:
        is_container = matcher.value == exporter.container.get("name")
        if is_container or pattern.matches(f"{exporter.pod.item.identity.name}-{_SUFFIX}"):
            return True
    return False


RULE = Rule(
    code="MON017",
    name="exporter-without-pod-mapping",
    severity=Severity.WARNING,
    summary="A query selects DCGM metrics by pod, but the exporter does not map GPUs to pods.",
    help="The exporter sets pod, namespace and container only if DCGM_EXPORTER_KUBERNETES is true, as its chart and "
    "the GPU Operator set it. It reads them from /var/lib/kubelet/pod-resources, which must be mounted.",
    sources=(
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/pkg/cmd/app.go",
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/dcgm-exporter.yaml",
    ),
    check=_check,
)
