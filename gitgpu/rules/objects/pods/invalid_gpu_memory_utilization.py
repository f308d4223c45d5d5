"""A share of GPU memory that vLLM does not accept."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import list_at
from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.rules.objects.pods._gpu_containers import gpu_containers, runs_vllm
from gitgpu.source import Pointer

_FLAG = "--gpu-memory-utilization"
_NUMBER = re.compile(r"\d{1,6}(?:\.\d{1,6})?", re.ASCII)
# The share after the flag, as one argument or as the next one.
_SHARE = re.compile(rf"(?:^|\s){_FLAG}(?:=|\s+)({_NUMBER.pattern})(?=\s|$)", re.ASCII)


def _check(objects: Objects) -> Iterator[Finding]:
    for pod, place, container, _ in gpu_containers(objects):
        if not runs_vllm(container):
            continue
        for at, text, is_whole in _shares(container):
            share = float(text)
            if not 0 < share <= 1:
                meant = f"{share / 100:g}" if 1 < share <= 100 else "0.9"
                message = f"{_FLAG} must be above 0 and at most 1; found {text}"
                remedy = f'use "{meant}"' if is_whole else f"use {_FLAG}={meant}"
                yield Finding(pod.item, (*place, *at), message, remedy)


def _shares(container: Mapping[str, Any]) -> Iterator[tuple[Pointer, str, bool]]:
    """The place of each share, its text, and whether it is a separate argument."""
    for key in ("command", "args"):
        words = [str(word) for word in list_at(container, key)]
        for index, word in enumerate(words):
            if match := _SHARE.search(word):
                yield (key, index), match[1], False
            elif index and words[index - 1] == _FLAG and _NUMBER.fullmatch(word):
                yield (key, index), word, True


RULE = Rule(
    code="POD051",
    name="invalid-gpu-memory-utilization",
    severity=Severity.ERROR,
    summary="vLLM is started with a share of GPU memory above 1, or with 0.",
    help="vLLM takes the share as a fraction of the memory of the GPU and stops at any other value. Its help text once "
    "called it a percentage.",
    sources=(
        "https://github.com/vllm-project/vllm/pull/2162",
        "https://docs.vllm.ai/en/stable/cli/serve/",
    ),
    check=_check,
)
