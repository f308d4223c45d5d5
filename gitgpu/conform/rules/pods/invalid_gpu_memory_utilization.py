"""A share of GPU memory that vLLM does not accept."""

import re
from collections.abc import Iterator

from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.rules.pods._gpu_containers import command_line, gpu_containers
from gitgpu.diagnostic import Severity

_SERVER = re.compile(r"(?:^|[/\s])vllm(?:-openai)?(?:[:@\s/]|$)|vllm\.entrypoints")
_SHARE = re.compile(r"(?:^|\s)--gpu-memory-utilization(?:=|\s+)(\d{1,6}(?:\.\d{1,6})?)(?=\s|$)")
BAD = """
apiVersion: v1
kind: Pod
metadata: {name: chat, namespace: serving}
spec:
  containers:
  - name: main
    image: vllm/vllm-openai:v0.14.0
    args: [--model, contoso/chat, --gpu-memory-utilization, "90"]
    resources: {limits: {nvidia.com/gpu: 1}}
"""


def _check(objects: Objects) -> Iterator[Finding]:
    for pod, place, container, _ in gpu_containers(objects):
        line = command_line(container)
        found = _SHARE.search(line) if _SERVER.search(f"{container.get('image') or ''} {line}") else None
        share = float(found[1]) if found else 0.5
        if found and not 0 < share <= 1:
            meant = f"{share / 100:g}" if 1 < share <= 100 else "0.9"
            message = f"--gpu-memory-utilization is a fraction above 0 and up to 1, but it is {found[1]}"
            yield Finding(pod.item, (*place, "args" if container.get("args") else "command"), message, f"write {meant}")


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
    bad=BAD,
    good=BAD.replace('"90"', '"0.9"'),
)
