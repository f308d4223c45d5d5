"""A liveness probe that restarts a model server while it loads the model."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.rules.objects.pods._gpu_containers import gpu_containers, runs_vllm

_SHORTEST = 60  # seconds: vLLM loads weights, compiles and captures graphs before it answers


def _check(objects: Objects) -> Iterator[Finding]:
    for pod, place, container, _ in gpu_containers(objects):
        probe = container.get("livenessProbe")
        if not probe or container.get("startupProbe") or not (probe.get("httpGet") or probe.get("tcpSocket")):
            continue
        seconds = _grace(probe)
        if runs_vllm(container) and seconds < _SHORTEST:
            message = f"the liveness probe restarts vLLM {seconds} seconds after its start if it still loads the model"
            remedy = "add a startupProbe with a failureThreshold that covers the time to load the model"
            yield Finding(pod.item, (*place, "livenessProbe"), message, remedy)


def _grace(probe: Mapping[str, Any]) -> int:
    """The seconds until the probe has failed often enough; unset fields have Kubernetes' defaults."""
    delay, period, threshold = (probe.get(key) for key in ("initialDelaySeconds", "periodSeconds", "failureThreshold"))
    return (delay or 0) + (period or 10) * (threshold or 3)


RULE = Rule(
    code="POD101",
    name="liveness-before-model-is-loaded",
    severity=Severity.INFO,
    summary="A vLLM container has a liveness probe that fails within a minute of its start, and no startup probe.",
    help="vLLM answers only after it has loaded the model, which takes minutes for most models and longer if it has to "
    "download them. Until then a liveness probe fails and Kubernetes restarts the container, which starts again from "
    "the beginning. A startup probe delays the liveness probe.",
    sources=(
        "https://github.com/vllm-project/vllm/pull/19377",
        "https://github.com/vllm-project/vllm/issues/17386",
        "https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/",
    ),
    check=_check,
)
