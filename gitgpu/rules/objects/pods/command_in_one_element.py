"""A command with its arguments in one element."""

import re
from collections.abc import Iterator

from gitgpu.access import list_at
from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import described_pods
from gitgpu.rules.object_rule import Finding, Rule

# A program, and after it an option, or anything after a program that is never part of a file name with spaces.
_WHOLE = re.compile(
    r"(?:[\w./-]+\s+(?:\S+\s+)*-{1,2}[a-zA-Z]\S*|"
    r"(?:[\w./-]*/)?(?:ba|da|a)?sh\s+\S|(?:[\w./-]*/)?python[0-9.]*\s+\S|(?:[\w./-]*/)?(?:vllm|torchrun|ray)\s+\S)"
)


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in described_pods(objects):
        for place, container in pod.containers():
            command = list_at(container, "command")
            first = command[0] if command and isinstance(command[0], str) else ""
            if _WHOLE.match(first.strip()) and not is_template(first):
                program = first.split()[0]
                message = f"the container does not start: no program has the name '{_short(first)}'"
                remedy = f"write each argument as its own element: [{program}, ...], or use [sh, -c, ...]"
                yield Finding(pod.item, (*place, "command", 0), message, remedy)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:57]}..."


RULE = Rule(
    code="POD099",
    name="command-in-one-element",
    severity=Severity.ERROR,
    summary="The first element of a container's command contains the program and its arguments.",
    help="Kubernetes runs no shell: the first element of command is the name of the program, with all its spaces. No "
    "program has that name, so the runtime cannot create the container.",
    sources=(
        "https://kubernetes.io/docs/tasks/inject-data-application/define-command-argument-container/",
        "https://github.com/opencontainers/runtime-spec/blob/29686dbc5559d93fb1ef402eeda3e35c38d75af4/config.md",
    ),
    check=_check,
)
