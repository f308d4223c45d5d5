"""The container that gets the GPUs is one of the Job."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.check.phrase import listed
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec:
  region: swedencentral
  kubernetesVersion: "1.36"
  stack: {metrics: {scrape: prometheus-operator, server: "http://prometheus.monitoring:9090"}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: render, namespace: serving}
spec:
  pools: [t4]
  target: {kind: Job, name: render}
  job:
    template:
      spec:
        containers:
        - {name: main, image: contoso.azurecr.io/render:1.4}
  scaling:
    identity: 11111111-2222-3333-4444-555555555555
    triggers:
    - {serviceBus: {namespace: contoso-work, queue: render}, target: 5}
    max: 8
"""
GOOD = BAD.replace("name: main", "name: render")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads whose job has no pods, or not the container that gets the GPUs."""
    for workload in inputs.workloads:
        if workload.job is None:
            continue
        names = _containers(workload.job)
        if names is None:
            message, place = "the job's template has no list of named containers", ("spec", "job", "template")
            yield Finding(workload.origin, place, message, "write template.spec.containers, each with a name")
        elif workload.container not in names:
            message = f"the job has no container '{workload.container}' to give the GPUs to; it has {listed(names)}"
            remedy = "write target.container with the name of one"
            yield Finding(workload.origin, ("spec", "job", "template", "spec", "containers"), message, remedy)


def _containers(job: Mapping[str, Any]) -> list[str] | None:
    """The names of a Job's containers; None where it has none that could be read."""
    template = job["template"]
    pod = template.get("spec") if isinstance(template, Mapping) else None
    found = pod.get("containers") if isinstance(pod, Mapping) else None
    items = found if isinstance(found, list) else []
    names = [name for item in items if isinstance(item, Mapping) and isinstance(name := item.get("name"), str)]
    return names if names and len(names) == len(items) else None


RULE = Rule(
    code="SCL069",
    name="job-without-its-container",
    severity=Severity.ERROR,
    summary="A job lacks the container that gets the GPUs.",
    help="gitgpu gives the GPUs to one container, the one that is named like the target unless target.container says "
    "another.",
    sources=("https://kubernetes.io/docs/concepts/workloads/controllers/job/",),
    check=check,
    bad=BAD,
    good=GOOD,
)
