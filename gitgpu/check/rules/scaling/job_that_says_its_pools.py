"""What follows from the pools is not said in the job."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.source import Pointer

POD: Pointer = ("spec", "job", "template", "spec")
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
        restartPolicy: Never
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
        for place, what in _said(workload.job["template"]["spec"]) if workload.job else ():
            message = f"the job says {what}, and gitgpu sets it from pools and gpus"
            yield Finding(workload.origin, (*POD, *place), message, f"remove {place[-1]} from the job")


def _said(pod: Mapping[str, Any]) -> Iterator[tuple[Pointer, str]]:
    if "nodeAffinity" in pod.get("affinity", {}):
        yield ("affinity", "nodeAffinity"), "which nodes it wants"
    for index, container in enumerate(pod["containers"]):
        for kind in ("limits", "requests"):
            for name in container.get("resources", {}).get(kind, {}):
                if str(name).endswith(DEVICES):
                    yield ("containers", index, "resources", kind, name), "how many GPUs it gets"


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
