"""A model server that needs more GPUs than its container has."""

import re
from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.resources import NVIDIA_GPU
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.rules.objects.pods._gpu_containers import (
    command_line,
    gpu_containers,
    program,
    runs_vllm,
    sees_every_gpu,
)

# The number of processes after the flag, as one argument or as the next one.
_TENSOR = re.compile(r"(?:^|\s)(?:--tensor-parallel-size|-tp)(?:=|\s+)(\d{1,4})(?=\s|$)")
# Signs of a server that runs on several nodes: not all of its GPUs are in this container.
_SPREAD = re.compile(r"\bray\b|--nnodes|--node-rank|--headless|--data-parallel|--distributed-executor", re.IGNORECASE)


def _check(objects: Objects) -> Iterator[Finding]:
    for pod, place, container, limit in gpu_containers(objects):
        match = _TENSOR.search(command_line(container)) if runs_vllm(container) else None
        # A variable can name a Ray cluster, and a claim can add GPUs.
        elsewhere = (
            _SPREAD.search(program(container)) or container.get("envFrom") or reach(container, "resources", "claims")
        )
        if match and int(match[1]) > limit and not elsewhere and not sees_every_gpu(container):
            message = f"vLLM with tensor parallel size {match[1]} does not start: the container has {limit} GPUs"
            if limit == 1:
                message = f"vLLM with tensor parallel size {match[1]} does not start: the container has 1 GPU"
            remedy = f"set nvidia.com/gpu: {match[1]}, or --tensor-parallel-size {limit}"
            yield Finding(pod.item, (*place, "resources", "limits", NVIDIA_GPU), message, remedy)


RULE = Rule(
    code="POD050",
    name="more-processes-than-gpus",
    severity=Severity.ERROR,
    summary="vLLM is started with a tensor parallel size that exceeds the number of GPUs of its container.",
    help="vLLM uses one GPU for each tensor parallel process and stops if there are fewer. A server that spreads over "
    "several nodes, with Ray or with its own options, is not reported.",
    sources=(
        "https://github.com/vllm-project/vllm/issues/15217",
        "https://github.com/ai-dynamo/dynamo/issues/4934",
        "https://github.com/vllm-project/vllm/issues/8908",
    ),
    check=_check,
)
