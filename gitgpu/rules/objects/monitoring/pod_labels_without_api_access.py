"""A DCGM exporter that is to add the labels of pods, and may not read pods."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import list_at, mapping_at, reach
from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.image import short_name
from gitgpu.objects.gitops.releases import Release, releases
from gitgpu.objects.monitoring.monitors import EXPORTER
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.pods import Pod, pods, words_of
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

# Each value of the chart with its variable and flag.
_SETTINGS = {
    "enablePodLabels": ("DCGM_EXPORTER_KUBERNETES_ENABLE_POD_LABELS", "--kubernetes-enable-pod-labels"),
    "enablePodUID": ("DCGM_EXPORTER_KUBERNETES_ENABLE_POD_UID", "--kubernetes-enable-pod-uid"),
}
_VARIABLES = tuple(variable for variable, _ in _SETTINGS.values())
_FLAGS = tuple(flag for _, flag in _SETTINGS.values())


def _check(objects: Objects) -> Iterator[Finding]:
    for release in releases(objects, EXPORTER):
        if release.whole and release.value("kubernetesDRA", "enabled") is not True:
            yield from _chart_findings(release)
    for pod in pods(objects):
        if pod.spec.get("automountServiceAccountToken") is False and not _has_token(pod):
            for place, container in pod.containers():
                if short_name(str(container.get("image") or "")) == EXPORTER and (at := _asks(container, place)):
                    message = "the exporter gets no token for the API, from which it reads labels and UIDs of pods"
                    yield Finding(pod.item, at, message, "remove automountServiceAccountToken: false")


def _chart_findings(release: Release) -> Iterator[Finding]:
    values = mapping_at(release.value("kubernetes"))
    asked_keys = [key for key in _SETTINGS if values.get(key) is True]
    if asked_keys and release.value("kubernetes", "rbac", "create") is False:
        message = "the chart gives the exporter neither a role nor a token, so it cannot read labels and UIDs of pods"
        yield Finding(*release.locate("kubernetes", "rbac", "create"), message, "remove rbac.create: false")
    if asked_keys:
        return
    for index, variable in enumerate(list_at(release.value("extraEnv"))):
        name, value = (reach(variable, key) for key in ("name", "value"))
        if name in _VARIABLES and str(value).lower() == "true":
            key = next(key for key, (written, _) in _SETTINGS.items() if written == name)
            message = f"{name} has no effect: the chart mounts a token for the API only with kubernetes.{key}"
            place = _place(release, index)
            yield Finding(*place, message, f"remove it, and set kubernetes: {{{key}: true}}")


def _place(release: Release, index: int) -> tuple[Item, Pointer]:
    return release.locate("extraEnv", index)


def _asks(container: Mapping[str, Any], place: Pointer) -> Pointer | None:
    """The place of the setting that makes the exporter read pods."""
    for index, variable in enumerate(list_at(container, "env")):
        name, value = (reach(variable, key) for key in ("name", "value"))
        if name in _VARIABLES and str(value).lower() == "true":
            return (*place, "env", index)
    flagged = any(word.partition("=")[0] in _FLAGS for word in words_of(container))
    return (*place, "args") if flagged else None


def _has_token(pod: Pod) -> bool:
    """Whether the pod mounts a token itself."""
    return "serviceAccountToken" in str(pod.spec.get("volumes"))


RULE = Rule(
    code="MON096",
    name="pod-labels-without-api-access",
    severity=Severity.WARNING,
    summary="A DCGM exporter is set to add labels or UIDs of pods to metrics, but cannot read the Kubernetes API.",
    help="The socket of the kubelet names pods only. Their labels and UIDs come from the API, for which the "
    "exporter needs a token and the right to list pods. Without them it logs a warning and exports metrics "
    "without these labels.",
    sources=(
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/internal/pkg/transformation/kubernetes.go",
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/deployment/templates/daemonset.yaml",
    ),
    check=_check,
)
