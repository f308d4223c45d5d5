"""A duplicate environment variable."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import pods
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects):
        for place, container in pod.containers():
            seen: set[str] = set()
            for index, variable in enumerate(container.get("env") or ()):
                name = reach(variable, "name") or ""
                # The second one can extend the first, such as PATH with $(PATH):/opt/bin.
                if name in seen and f"$({name})" not in str(reach(variable, "value")):
                    message = f"duplicate environment variable {name}; only the last value is used"
                    yield Finding(pod.item, (*place, "env", index, "name"), message, "remove one of them")
                seen.add(name)


RULE = Rule(
    code="NAM003",
    name="duplicate-environment-variable",
    severity=Severity.WARNING,
    summary="A container sets the same environment variable twice.",
    help="Kubernetes uses the last value. A later apply may keep only one of the entries, in an undefined order.",
    sources=(
        "https://kubernetes.io/docs/tasks/inject-data-application/define-environment-variable-container/",
        "https://github.com/kubernetes/kubernetes/blob/v1.34.0/pkg/api/pod/warnings.go",
    ),
    check=_check,
)
