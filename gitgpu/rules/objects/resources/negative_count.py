"""A negative number of replicas, pods, retries or seconds."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects, reach
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_JOB: tuple[Pointer, ...] = (("parallelism",), ("completions",), ("backoffLimit",), ("activeDeadlineSeconds",))
_COUNTS: dict[tuple[str, str], tuple[Pointer, ...]] = {
    ("apps", "DaemonSet"): (("minReadySeconds",),),
    ("apps", "Deployment"): (("replicas",), ("minReadySeconds",)),
    ("apps", "ReplicaSet"): (("replicas",), ("minReadySeconds",)),
    ("apps", "StatefulSet"): (("replicas",), ("minReadySeconds",)),
    ("batch", "Job"): _JOB,
    ("batch", "CronJob"): tuple(("jobTemplate", "spec", *path) for path in _JOB),
}


BAD = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: chat, namespace: serving}
spec:
  replicas: -1
  selector: {matchLabels: {app: chat}}
  template:
    metadata: {labels: {app: chat}}
    spec: {containers: [{name: main, image: "registry.contoso.com/chat:1.0.0"}]}
"""
OTHERS = """
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: exporter, namespace: serving}
spec:
  minReadySeconds: -5
  selector: {matchLabels: {app: exporter}}
  template:
    metadata: {labels: {app: exporter}}
    spec: {containers: [{name: main, image: "registry.contoso.com/exporter:1.0.0"}]}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: chat, namespace: serving}
spec:
  replicas: -1
  minReadySeconds: -5
  serviceName: chat
  selector: {matchLabels: {app: chat}}
  template:
    metadata: {labels: {app: chat}}
    spec: {containers: [{name: main, image: "registry.contoso.com/chat:1.0.0"}]}
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: chat, namespace: serving}
spec:
  replicas: -1
  minReadySeconds: -5
  selector: {matchLabels: {app: chat}}
  template:
    metadata: {labels: {app: chat}}
    spec: {containers: [{name: main, image: "registry.contoso.com/chat:1.0.0"}]}
---
apiVersion: batch/v1
kind: Job
metadata: {name: trainer, namespace: research}
spec:
  parallelism: -1
  completions: -1
  backoffLimit: -1
  activeDeadlineSeconds: -1
  template:
    spec: {restartPolicy: Never, containers: [{name: main, image: "registry.contoso.com/trainer:1.0.0"}]}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly, namespace: research}
spec:
  schedule: 0 3 * * *
  jobTemplate:
    spec:
      backoffLimit: -1
      template:
        spec: {restartPolicy: Never, containers: [{name: main, image: "registry.contoso.com/trainer:1.0.0"}]}
"""


def _check(objects: Objects) -> Iterator[Finding]:
    for kind, counts in _COUNTS.items():
        for item in objects.of(*kind):
            for path in counts:
                count = reach(item.body, "spec", *path)
                if isinstance(count, int) and count < 0:
                    message = f"{path[-1]} must not be negative; found {count}"
                    yield Finding(item, ("spec", *path), message, "use 0 or more")


RULE = Rule(
    code="POD024",
    name="negative-count",
    severity=Severity.ERROR,
    rejects=True,
    summary="A workload has a negative number of replicas, pods, retries or seconds.",
    help="The API server rejects it.",
    sources=(
        "https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/apis/apps/validation/validation.go",
        "https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/apis/batch/validation/validation.go",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("replicas: -1", "replicas: 0"),
    variants=(OTHERS,),
)
