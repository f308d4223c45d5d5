"""A model server that needs more GPUs than its container has."""

import re
from collections.abc import Callable, Iterator, Mapping
from math import prod
from typing import Any, NamedTuple

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.groups import RAY_GROUP
from gitgpu.model.names.resources import NVIDIA_GPU
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.known_kinds import WORKLOAD_KINDS
from gitgpu.objects.workload.pods import Pod
from gitgpu.objects.workload.queueing import Gang
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.rules.objects.pods._gpu_containers import (
    command_line,
    gpu_containers,
    program,
    runs_sglang,
    runs_triton,
    runs_trtllm,
    runs_vllm,
    sees_every_gpu,
)
from gitgpu.spelling import count_text

_NUMBER = r"(?:=|\s+)(\d{1,4})(?=\s|$)"  # as part of the same argument, or as the next one


def _flag(*names: str) -> re.Pattern[str]:
    """A flag with a number: its name as written, and the number. Servers read underscores in names as hyphens."""
    spelt = "|".join(name.replace("-", "[-_]") if name.startswith("--") else name for name in names)
    return re.compile(rf"(?:^|\s)({spelt}){_NUMBER}")


class _Server(NamedTuple):
    """A model server: how to recognise it, and its flags for processes that use a GPU each, which multiply."""

    name: str
    runs: Callable[[Mapping[str, Any]], bool]
    flag: re.Pattern[str]
    stages: re.Pattern[str] | None
    what: str = "tensor parallel size"


_SERVERS = (
    _Server("vLLM", runs_vllm, _flag("--tensor-parallel-size", "-tp"), _flag("--pipeline-parallel-size", "-pp")),
    _Server(
        "SGLang",
        runs_sglang,
        _flag("--tensor-parallel-size", "--tp-size", "--tp"),
        _flag("--pipeline-parallel-size", "--pp-size"),
    ),
    _Server("TensorRT-LLM", runs_trtllm, _flag("--tp-size", "--tensor-parallel-size"), _flag("--pp-size")),
    _Server("Triton", runs_triton, _flag("--world-size"), None, "world size"),
)
# Signs of a server that runs on several nodes: not all of its GPUs are in this container.
_SPREAD = re.compile(
    r"(?<![a-z])ray(?![a-z])|--nnodes|--node-rank|--headless|--data-parallel|--dist|multi-?node|mpirun|srun|llmapi-launch",
    re.IGNORECASE,
)


def _check(objects: Objects) -> Iterator[Finding]:
    for pod, place, container, limit in gpu_containers(objects):
        # A variable can name a Ray cluster, and a claim can add GPUs.
        if (
            _SPREAD.search(program(container))
            or container.get("envFrom")
            or reach(container, "resources", "claims")
            or sees_every_gpu(container)
        ):
            continue
        for server in _SERVERS:
            if server.runs(container):
                at = (*place, "resources", "limits", NVIDIA_GPU)
                yield from (Finding(pod.item, at, *text) for text in _texts(server, container, limit, pod))
                break


def _texts(server: _Server, container: Mapping[str, Any], limit: int, pod: Pod) -> Iterator[tuple[str, str]]:
    """The message and the remedy, if the server needs more GPUs than the limit."""
    line = command_line(container)
    size, stages = server.flag.search(line), server.stages.search(line) if server.stages else None
    has = count_text(limit, "GPU")
    if size and int(size[2]) > limit:
        message = f"{server.name} with {server.what} {size[2]} does not start: the container has {has}"
        yield message, f"set nvidia.com/gpu: {size[2]}, or {size[1]} {limit}"
    elif stages and not _is_spread(pod):
        sizes = [int(match[2]) for match in (size, stages) if match]
        if prod(sizes) > limit:
            product = " times ".join(map(str, sizes))
            message = f"{server.name} needs {product} GPUs and does not start: the container has {has}"
            yield message, f"set nvidia.com/gpu: {prod(sizes)}, or a lower {stages[1]}"


def _is_spread(pod: Pod) -> bool:
    """Whether the pods of the object work together: the stages of a pipeline can be on several nodes."""
    group, kind = pod.item.identity[:2]
    return group == RAY_GROUP or WORKLOAD_KINDS[group, kind].gang_in(pod.item.body) is not Gang.POD


RULE = Rule(
    code="POD050",
    name="more-processes-than-gpus",
    severity=Severity.ERROR,
    summary="vLLM, SGLang, TensorRT-LLM or Triton is started with more processes than its container has GPUs.",
    help="They use one GPU for each process, which is the tensor parallel size times the pipeline parallel size, and "
    "stop if there are fewer. A server that spreads over several nodes, with Ray or with its own options, is not "
    "reported.",
    sources=(
        "https://github.com/vllm-project/vllm/issues/15217",
        "https://github.com/ai-dynamo/dynamo/issues/4934",
        "https://github.com/vllm-project/vllm/issues/8908",
        "https://github.com/sgl-project/sglang/blob/001067fffe33427bee0ed2f007fb7551a1d76b44/python/sglang/srt/entrypoints/engine.py",
        "https://github.com/NVIDIA/TensorRT-LLM/issues/2594",
        "https://github.com/triton-inference-server/tensorrtllm_backend/issues/283",
    ),
    check=_check,
)
