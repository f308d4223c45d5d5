"""Each way of scaling has settings of its own."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.scaled_workloads import scaled_workloads
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.source import Pointer

OF_KEDA = ("idle", "fallback", "identity")
OF_REPLICAS = ("idle", "fallback", "cooldown")
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
  target: {kind: Deployment, name: render}
  scaling: {engine: hpa, target: 70, max: 8, fallback: {replicas: 4}}
"""
GOOD = BAD.replace("engine: hpa", "engine: keda")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Settings of KEDA's for a HorizontalPodAutoscaler, those of replicas for Jobs, an identity that reads nothing."""
    for workload, scaling, _ in scaled_workloads(inputs):
        if scaling.engine != "hpa" and scaling.identity and not any(one.in_azure for one in scaling.signals):
            message = "nobody reads identity: none of the triggers is in Azure"
            remedy = "remove identity; what KEDA shows to a Prometheus is stack.metrics.identity"
            yield Finding(workload.origin, ("spec", "scaling", "identity"), message, remedy)
        way, unread = ("engine: hpa", OF_KEDA) if scaling.engine == "hpa" else ("a Job", OF_REPLICAS)
        if scaling.engine != "hpa" and workload.job is None:
            continue
        told = {key: value for key, value in scaling._asdict().items() if key in unread and value is not None}
        found: list[Pointer] = [("spec", "scaling", key) for key in told]
        if scaling.engine == "hpa":
            found += [(*one.place, "activation") for one in scaling.signals if one.activation is not None]
        for place in found:
            yield Finding(workload.origin, place, f"{way} has no {place[-1]}", f"remove {place[-1]}")


RULE = Rule(
    code="SCL065",
    name="setting-that-nobody-reads",
    severity=Severity.ERROR,
    summary="scaling says something that its engine, its triggers or a Job have no use for.",
    help="A HorizontalPodAutoscaler never goes to zero and knows no fallback, and reads nothing in Azure. A Job is not"
    " scaled down: it ends. identity is what KEDA shows where a queue or a metric in Azure is read, and nowhere else.",
    sources=(
        "https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/horizontal-pod-autoscaler-v2/",
        "https://github.com/kedacore/keda-docs/blob/a55c5d345e2cbd9923ab4936f1cabc2a17e9abac/content/docs/2.20/reference/scaledjob-spec.md",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
