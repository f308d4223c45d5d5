"""A model server on several GPUs with the default shared memory."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import list_at, mapping_at
from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import pods
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.rules.objects.pods._gpu_containers import command_line, program, runs_vllm

_SGLANG = "sglang"
# The number of processes, by the flags of vLLM and of SGLang.
_PARALLEL = re.compile(r"(?:^|\s)(?:--tensor-parallel-size|-tp|--tp-size|--tp)(?:=|\s+)(\d+)")
_PLACES = ("/dev/shm", "/dev")  # noqa: S108  a mount in a container
_REMEDY = "mount an emptyDir with medium: Memory at /dev/shm; it counts towards the memory limit of the container"


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects):
        for place, container in pod.containers():
            size = _tensor_parallel_size(container)
            # With hostIPC, the container has the /dev/shm of the node.
            if size > 1 and not pod.spec.get("hostIPC") and not _mounts_shared_memory(container):
                message = (
                    f"{size} processes share tensors through /dev/shm, which is limited to 64 MiB in this container"
                )
                yield Finding(pod.item, (*place, "name"), message, _REMEDY)


def _tensor_parallel_size(container: Mapping[str, Any]) -> int:
    """The number of GPUs that a model server uses with a process each; 0 for other programs, or without the flag."""
    if not runs_vllm(container) and _SGLANG not in program(container):
        return 0
    match = _PARALLEL.search(command_line(container))
    return int(match[1]) if match else 0


def _mounts_shared_memory(container: Mapping[str, Any]) -> bool:
    mounts = (mapping_at(mount) for mount in list_at(container, "volumeMounts"))
    return any(str(mount.get("mountPath")).rstrip("/") in _PLACES for mount in mounts)


RULE = Rule(
    code="POD046",
    name="small-shared-memory",
    severity=Severity.WARNING,
    summary="vLLM or SGLang runs on several GPUs of a pod with the default shared memory.",
    help="By default, a container has 64 MiB at /dev/shm. When several processes run one model, NCCL and the server "
    "need more, and they fail at startup or under load.",
    sources=(
        "https://docs.vllm.ai/en/stable/deployment/k8s/",
        "https://github.com/NVIDIA/nccl/issues/525",
        "https://github.com/sgl-project/sgl-project.github.io/issues/5",
        "https://github.com/vllm-project/vllm/issues/1710",
        "https://github.com/vllm-project/vllm/issues/7466",
    ),
    check=_check,
)
