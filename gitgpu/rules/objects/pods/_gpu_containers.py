"""Containers with GPUs: how many they request, their environment, and their command line."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import list_at, reach
from gitgpu.model.names.resources import NVIDIA_GPU
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import Pod, pods, words_of
from gitgpu.source import Pointer

_AMOUNT = re.compile("[1-9][0-9]{0,5}", re.ASCII)  # a longer one fits no node, and `int` rejects very long ones
# The image vllm/vllm-openai or another one named vllm, the command `vllm serve`, or a module of vLLM.
_VLLM = re.compile(r"(?:^|[/\s])vllm(?:-openai)?(?:[:@\s/]|$)|vllm\.entrypoints")
# The image lmsysorg/sglang or another one named sglang, or the module that starts the server.
_SGLANG = re.compile(r"(?:^|[/\s])sglang(?:[:@\s/]|$)|sglang\.launch_server")
# The server of TensorRT-LLM, and the script that starts Triton with its back end for it.
_TRTLLM, _TRITON = re.compile(r"(?:^|[/\s])trtllm-serve(?:\s|$)"), re.compile(r"launch_triton_server\.py")
_EVERY_GPU = "NVIDIA_VISIBLE_DEVICES"  # overrides what the device plugin allocates


def gpu_containers(objects: Objects) -> Iterator[tuple[Pod, Pointer, Mapping[str, Any], int]]:
    """Every container with a limit on whole GPUs, with its pod, its place and the limit."""
    for pod in pods(objects):
        for place, container in pod.containers():
            limit = str(reach(container, "resources", "limits", NVIDIA_GPU) or "")
            if _AMOUNT.fullmatch(limit):
                yield pod, place, container, int(limit)


def environment(container: Mapping[str, Any], name: str) -> tuple[int, str] | None:
    """The position and value of an environment variable; None if it is not set, or not directly to a value."""
    for index, variable in enumerate(list_at(container, "env")):
        value = reach(variable, "value")
        if reach(variable, "name") == name and isinstance(value, str):
            return index, value
    return None


def sees_every_gpu(container: Mapping[str, Any]) -> bool:
    """Whether the container can use GPUs that it does not request."""
    privileged = reach(container, "securityContext", "privileged") is True
    return privileged or environment(container, _EVERY_GPU) is not None


def runs_vllm(container: Mapping[str, Any]) -> bool:
    """Whether the container is a vLLM server, by its image or its command line."""
    return _VLLM.search(program(container)) is not None


def runs_sglang(container: Mapping[str, Any]) -> bool:
    """Whether the container is an SGLang server, by its image or its command line."""
    return _SGLANG.search(program(container)) is not None


def runs_trtllm(container: Mapping[str, Any]) -> bool:
    """Whether the container is a server of TensorRT-LLM, by its command line."""
    return _TRTLLM.search(command_line(container)) is not None


def runs_triton(container: Mapping[str, Any]) -> bool:
    """Whether the container starts Triton with a process for each GPU, by its command line."""
    return _TRITON.search(command_line(container)) is not None


def program(container: Mapping[str, Any]) -> str:
    """The image and the command line as one text."""
    return f"{container.get('image') or ''} {command_line(container)}"


def command_line(container: Mapping[str, Any]) -> str:
    """The command and the arguments as one text."""
    return " ".join(words_of(container))
