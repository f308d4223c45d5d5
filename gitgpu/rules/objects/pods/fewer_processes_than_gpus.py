"""A model server that leaves GPUs of its container idle."""

import re
from collections.abc import Iterator
from math import prod

from gitgpu.diagnostic import Severity
from gitgpu.model.names.resources import NVIDIA_GPU
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.rules.objects.pods._gpu_containers import command_line, gpu_containers, program

# vLLM's own image, or its command: another image named vllm can set the size itself.
_VLLM = re.compile(r"(?:^|/)vllm/vllm-openai[:@\s]|\bvllm serve\b|vllm\.entrypoints\.openai")
_SIZES = (
    re.compile(r"(?:^|\s)(?:--tensor-parallel-size|-tp)(?:=|\s+)(\d{1,4})(?=\s|$)"),
    re.compile(r"(?:^|\s)(?:--pipeline-parallel-size|-pp)(?:=|\s+)(\d{1,4})(?=\s|$)"),
    re.compile(r"(?:^|\s)(?:--data-parallel-size|-dp)(?:=|\s+)(\d{1,4})(?=\s|$)"),
)
# Sizes that cannot be read, and servers that are spread over nodes or started several times.
_UNREADABLE = re.compile(
    r"[$`]|--config|parallel[-_]size(?!(?:=|\s+)\d)|\bray\b|--nnodes|--headless|--data-parallel-(?!size)|&|torchrun",
    re.IGNORECASE,
)


def _check(objects: Objects) -> Iterator[Finding]:
    for pod, place, container, limit in gpu_containers(objects):
        text = command_line(container)
        if limit == 1 or place[-2] != "containers" or not _VLLM.search(f"{program(container)} "):
            continue
        if _UNREADABLE.search(text) or container.get("envFrom"):
            continue
        matches = [size.search(text) for size in _SIZES]
        used = prod(int(match[1]) for match in matches if match)
        if 0 < used < limit:
            message = f"vLLM uses {used} of the {limit} GPUs of the container: that is its parallel size"
            remedy = f"set --tensor-parallel-size {limit}, or nvidia.com/gpu: {used}"
            yield Finding(pod.item, (*place, "resources", "limits", NVIDIA_GPU), message, remedy)


RULE = Rule(
    code="POD098",
    name="fewer-processes-than-gpus",
    severity=Severity.WARNING,
    summary="vLLM is started with a parallel size below the number of GPUs of its container.",
    help="vLLM starts one process for each tensor, pipeline and data parallel rank, by default one in total, and does "
    "not use the other GPUs of the container. They are reserved and paid for.",
    sources=(
        "https://github.com/vllm-project/vllm/blob/f948f41e376e63c171fa7cbc4b88134501d5e5d8/docs/serving/parallelism_scaling.md",
        "https://github.com/vllm-project/vllm/issues/8908",
    ),
    check=_check,
)
