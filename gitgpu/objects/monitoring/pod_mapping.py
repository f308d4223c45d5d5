"""Whether a DCGM exporter maps GPUs to pods."""

from collections.abc import Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.objects.workload.pods import words_of

VARIABLE = "DCGM_EXPORTER_KUBERNETES"
_FLAGS = ("-k", "--kubernetes")
_TRUE = ("1", "t", "T", "true", "TRUE", "True")  # what the exporter reads as true


def maps_pods(container: Mapping[str, Any]) -> bool | None:
    """Whether the exporter maps GPUs to pods; None if that is unknown before the pod runs."""
    variable = next((env for env in container.get("env") or () if reach(env, "name") == VARIABLE), None) or {}
    line = " ".join(words_of(container))
    if any(word.partition("=")[0] in _FLAGS for word in line.split()) or variable.get("value") in _TRUE:
        return True
    return None if container.get("envFrom") or variable.get("valueFrom") else False
