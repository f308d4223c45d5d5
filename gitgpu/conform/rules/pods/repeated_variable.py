"""An environment variable that is set twice."""

from collections.abc import Iterator

from gitgpu.conform.objects import Objects, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.pods import pods
from gitgpu.diagnostic import Severity


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects):
        for place, container in pod.containers():
            seen: set[str] = set()
            for at, one in enumerate(container.get("env") or ()):
                name = reach(one, "name") or ""
                if name in seen and f"$({name})" not in str(reach(one, "value")):
                    message = f"the variable {name} is set twice, and only the last value counts"
                    yield Finding(pod.item, (*place, "env", at, "name"), message, "remove one of them")
                seen.add(name)


RULE = Rule(
    code="NAM003",
    name="repeated-variable",
    severity=Severity.WARNING,
    summary="A container sets an environment variable twice.",
    help="The last one counts, and a later apply may keep only one of them, in an order that nobody chose.",
    sources=(
        "https://kubernetes.io/docs/tasks/inject-data-application/define-environment-variable-container/",
        "https://github.com/kubernetes/kubernetes/blob/v1.34.0/pkg/api/pod/warnings.go",
    ),
    check=_check,
    bad="""
apiVersion: v1
kind: Pod
metadata: {name: trainer, namespace: serving}
spec:
  containers:
  - name: main
    image: contoso.azurecr.io/trainer:1.0
    env: [{name: NCCL_DEBUG, value: WARN}, {name: NCCL_DEBUG, value: INFO}]
""",
    good="""
apiVersion: v1
kind: Pod
metadata: {name: trainer, namespace: serving}
spec:
  containers:
  - name: main
    image: contoso.azurecr.io/trainer:1.0
    env: [{name: NCCL_DEBUG, value: WARN}]
""",
)
