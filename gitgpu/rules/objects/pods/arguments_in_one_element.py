"""An option of a model server with its value, or with other options, in one element."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import list_at
from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import described_pods
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.rules.objects.pods._gpu_containers import runs_sglang, runs_vllm
from gitgpu.source import Pointer

# An option, and its value as the next word; or one with a value, and another option.
_SEVERAL = re.compile(r"--[a-zA-Z][\w-]*(?:\s+\S|=\S+\s+--[a-zA-Z])")
_OF_SHELL = "-c"


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in described_pods(objects):
        for place, container in pod.containers():
            server = "vLLM" if runs_vllm(container) else "SGLang" if runs_sglang(container) else ""
            for where, element in _options(container) if server else ():
                first, second, *rest = element.split()
                message = f"{server} does not start: '{first} {second}{' ...' if rest else ''}' is one argument for it"
                remedy = f"write each word as its own element: [{first}, {second}{', ...' if rest else ''}]"
                yield Finding(pod.item, (*place, *where), message, remedy)
                break


def _options(container: Mapping[str, Any]) -> Iterator[tuple[Pointer, str]]:
    """The elements with several words of an option, unless a shell splits them."""
    words = [((key, index), word) for key in ("command", "args") for index, word in enumerate(list_at(container, key))]
    for where, word in words:
        if word == _OF_SHELL:
            return
        if isinstance(word, str) and _SEVERAL.match(word.strip()) and not is_template(word):
            yield where, word


RULE = Rule(
    code="POD109",
    name="arguments-in-one-element",
    severity=Severity.ERROR,
    summary="An element of a model server's arguments contains an option and its value, or several options.",
    help="Kubernetes runs no shell, so that an element is one argument with its spaces. vLLM and SGLang look for an "
    "option with that whole name and stop: 'unrecognized arguments'. An option and its value can share an element only "
    "with an equals sign, such as --port=8000.",
    sources=(
        "https://github.com/vllm-project/vllm/issues/8273",
        "https://kubernetes.io/docs/tasks/inject-data-application/define-command-argument-container/",
    ),
    check=_check,
)
