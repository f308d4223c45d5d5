"""A model server that needs more GPUs than its container has."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.resources import NVIDIA_GPU
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.rules.objects.pods._gpu_containers import (
    command_line,
    gpu_containers,
    program,
    runs_sglang,
    runs_vllm,
    sees_every_gpu,
)
from gitgpu.spelling import counted

# The flag, and the number of processes as part of the same argument or as the next one.
_OF_VLLM = re.compile(r"(?:^|\s)(--tensor-parallel-size|-tp)(?:=|\s+)(\d{1,4})(?=\s|$)")
_OF_SGLANG = re.compile(r"(?:^|\s)(--tensor-parallel-size|--tp-size|--tp)(?:=|\s+)(\d{1,4})(?=\s|$)")
# Signs of a server that runs on several nodes: not all of its GPUs are in this container.
_SPREAD = re.compile(r"\bray\b|--nnodes|--node-rank|--headless|--data-parallel|--dist", re.IGNORECASE)


def _check(objects: Objects) -> Iterator[Finding]:
    for pod, place, container, limit in gpu_containers(objects):
        server, match = _parallel(container)
        # A variable can name a Ray cluster, and a claim can add GPUs.
        elsewhere = (
            _SPREAD.search(program(container)) or container.get("envFrom") or reach(container, "resources", "claims")
        )
        if match and int(match[2]) > limit and not elsewhere and not sees_every_gpu(container):
            has = counted(limit, "GPU")
            message = f"{server} with tensor parallel size {match[2]} does not start: the container has {has}"
            remedy = f"set nvidia.com/gpu: {match[2]}, or {match[1]} {limit}"
            yield Finding(pod.item, (*place, "resources", "limits", NVIDIA_GPU), message, remedy)


def _parallel(container: Mapping[str, Any]) -> tuple[str, re.Match[str] | None]:
    """The model server of a container, and its flag for tensor parallelism with the number of processes, if any."""
    if runs_vllm(container):
        return "vLLM", _OF_VLLM.search(command_line(container))
    return "SGLang", _OF_SGLANG.search(command_line(container)) if runs_sglang(container) else None


RULE = Rule(
    code="POD050",
    name="more-processes-than-gpus",
    severity=Severity.ERROR,
    summary="vLLM or SGLang is started with a tensor parallel size that exceeds the number of GPUs of its container.",
    help="Both use one GPU for each tensor parallel process and stop if there are fewer. A server that spreads over "
    "several nodes, with Ray or with its own options, is not reported.",
    sources=(
        "https://github.com/vllm-project/vllm/issues/15217",
        "https://github.com/ai-dynamo/dynamo/issues/4934",
        "https://github.com/vllm-project/vllm/issues/8908",
        "https://github.com/sgl-project/sglang/blob/001067fffe33427bee0ed2f007fb7551a1d76b44/python/sglang/srt/entrypoints/engine.py",
    ),
    check=_check,
)
