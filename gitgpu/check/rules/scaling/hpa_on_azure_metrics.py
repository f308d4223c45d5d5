"""Prometheus Adapter cannot sign in to an Azure Monitor workspace."""

from collections.abc import Iterator

from gitgpu.check.names import join_names
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.scaled_workloads import scaled_workloads
from gitgpu.check.value_origins import stack_with_place
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec:
  region: swedencentral
  kubernetesVersion: "1.36"
  stack:
    metrics:
      scrape: azure-managed
      server: https://defaultazuremonitorworkspace-sec-abcd.swedencentral.prometheus.monitor.azure.com
      identity: 00000000-0000-0000-0000-000000000000
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: ranker, namespace: serving}
spec:
  pools: [t4]
  target: {kind: Deployment, name: ranker}
  scaling: {engine: hpa, target: 70, max: 8}
"""


def check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads that the adapter would have to ask Azure for; one that somebody else brings may go through a proxy."""
    for workload, scaling, clusters in scaled_workloads(inputs):
        azure = [one for one in clusters if one.stack.metrics.scrape == "azure-managed" and one.stack.adapter == "helm"]
        found = [stack_with_place(inputs, one, "metrics", "scrape") for one in azure]
        if scaling.engine == "hpa" and found:
            message = f"Prometheus Adapter cannot read the metrics of {join_names(found)}, which Azure keeps"
            remedy = "write engine: keda, or have the cluster scraped by a Prometheus of its own"
            yield Finding(workload.origin, ("spec", "scaling", "engine"), message, remedy)


RULE = Rule(
    code="SCL028",
    name="hpa-on-azure-metrics",
    severity=Severity.ERROR,
    summary="A workload is to be scaled by a HorizontalPodAutoscaler on metrics in an Azure Monitor workspace.",
    help="The workspace answers only who brings a token of Microsoft Entra ID. The adapter has a fixed bearer token at "
    "most; KEDA has the identity for it.",
    sources=(
        "https://learn.microsoft.com/azure/azure-monitor/metrics/prometheus-api-promql",
        "https://github.com/kubernetes-sigs/prometheus-adapter/blob/01919d0ef11859bc214e0c8a8bd5368afd9d47f7/cmd/adapter/adapter.go",
    ),
    check=check,
    bad=BAD,
    good=BAD.replace("engine: hpa", "engine: keda"),
)
