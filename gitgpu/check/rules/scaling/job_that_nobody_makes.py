"""A Job is made by scaling."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import with_place
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
        restartPolicy: Never
        containers:
        - {name: render, image: contoso.azurecr.io/render:1.4}
"""
GOOD = (
    BAD
    + """  scaling:
    identity: 11111111-2222-3333-4444-555555555555
    triggers:
    - {serviceBus: {namespace: contoso-work, queue: render}, target: 5}
    max: 8
"""
)


def check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads with a Job of their own that nothing makes."""
    for workload in inputs.workloads:
        if workload.job is None:
            continue
        if workload.target_kind != "Job":
            target = with_place(f"a {workload.target_kind}", workload.origin, ("spec", "target", "kind"))
            message = f"{target} is no Job, and job is not read"
            yield Finding(workload.origin, ("spec", "job"), message, "write target: {kind: Job}, or remove job")
        elif workload.scaling is None or workload.scaling.engine != "keda":
            message = "only KEDA makes Jobs, and it does not scale this workload"
            remedy = "write scaling with triggers, or remove job and keep a Job of your own to be patched"
            yield Finding(workload.origin, ("spec", "job"), message, remedy)


RULE = Rule(
    code="SCL068",
    name="job-that-nobody-makes",
    severity=Severity.ERROR,
    summary="A workload has a job, and nothing makes Jobs of it.",
    help="job is what a ScaledJob makes as work waits. Without scaling by KEDA, or with another kind of target, nobody"
    " reads it.",
    sources=(
        "https://github.com/kedacore/keda-docs/blob/a55c5d345e2cbd9923ab4936f1cabc2a17e9abac/content/docs/2.20/concepts/scaling-jobs.md",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
