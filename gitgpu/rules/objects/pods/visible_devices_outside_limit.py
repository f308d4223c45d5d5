"""A container that selects GPUs by numbers that it does not have."""

import re
from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.rules.objects.pods._gpu_containers import environment, gpu_containers, sees_every_gpu

_VARIABLE = "CUDA_VISIBLE_DEVICES"
_NUMBERS = re.compile(r"[0-9]{1,4}(,[0-9]{1,4})*\Z", re.ASCII)


def _check(objects: Objects) -> Iterator[Finding]:
    for pod, place, container, limit in gpu_containers(objects):
        variable = environment(container, _VARIABLE)
        if variable is None or sees_every_gpu(container):
            continue
        index, value = variable
        text = value.replace(" ", "")
        if not _NUMBERS.match(text):
            continue
        numbers = [int(number) for number in text.split(",")]
        # CUDA ignores the first invalid number and all that follow.
        usable = next((count for count, number in enumerate(numbers) if number >= limit), len(numbers))
        if usable < len(numbers):
            range_text = "number 0" if limit == 1 else f"numbers 0 to {limit - 1}"
            message = (
                f"{_VARIABLE}={value} leaves the program {usable or 'no'} GPU{'' if usable == 1 else 's'}: the GPUs of "
                f"the container have {range_text}"
            )
            remedy = f"remove {_VARIABLE}: the container sees only the GPUs that it requests"
            yield Finding(pod.item, (*place, "env", index, "value"), message, remedy)


RULE = Rule(
    code="POD097",
    name="visible-devices-outside-limit",
    severity=Severity.WARNING,
    summary="CUDA_VISIBLE_DEVICES has a number that no GPU of the container has.",
    help="In a container, the GPUs that it requests have the numbers from 0, whichever GPUs of the node they are. CUDA "
    "ignores an invalid number and all numbers after it, so the program sees fewer GPUs, or none.",
    sources=("https://docs.nvidia.com/cuda/cuda-programming-guide/05-appendices/environment-variables.html",),
    check=_check,
)
