"""What follows from the pools is not said in the job."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Workload
from gitgpu.model.inputs import Inputs
from gitgpu.source import Pointer

DEVICES = ("nvidia.com/gpu", "amd.com/gpu")
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
        - name: render
          image: contoso.azurecr.io/render:1.4
          resources: {limits: {nvidia.com/gpu: "2"}}
  scaling:
    identity: 11111111-2222-3333-4444-555555555555
    triggers:
    - {serviceBus: {namespace: contoso-work, queue: render}, target: 5}
    max: 8
"""
GOOD = BAD.replace('nvidia.com/gpu: "2"', "memory: 16Gi")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Jobs that choose nodes or GPUs themselves."""
    for workload in inputs.workloads:
        for place, what in _said(workload) if workload.job is not None else ():
            message = f"the job says {what}, and gitgpu sets it from pools and gpus"
            yield Finding(workload.origin, place, message, f"remove {place[-1]} from the job")


def _said(workload: Workload) -> Iterator[tuple[Pointer, str]]:
    at: Pointer = ("spec", "job", "template", "spec")
    pod = _at(workload.job, "template", "spec")
    if _at(pod, "affinity", "nodeAffinity") is not None:
        yield (*at, "affinity", "nodeAffinity"), "which nodes it wants"
    containers = _at(pod, "containers")
    for index, container in enumerate(containers if isinstance(containers, list) else ()):
        limits = _at(container, "resources", "limits")
        for name in limits if isinstance(limits, Mapping) else ():
            if str(name).endswith(DEVICES):
                yield (*at, "containers", index, "resources", "limits", name), "how many GPUs it gets"


def _at(value: Any, *path: str) -> Any:
    """What stands at a path; None where there is nothing."""
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


RULE = Rule(
    code="SCL070",
    name="job-that-says-its-pools",
    severity=Severity.ERROR,
    summary="A job says which nodes or how many GPUs it wants.",
    help="Pools and GPUs are said once, in pools and gpus, and the affinity and the limit are made of them. "
    "Tolerations of your own are kept beside those of the pools.",
    sources=("https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/",),
    check=check,
    bad=BAD,
    good=GOOD,
)
