"""Alert rules and dashboards say nothing of AMD GPUs."""

from collections.abc import Iterator

from gitgpu.check.phrase import listed
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.written import stack_place
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs, driver_on

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec:
  region: swedencentral
  kubernetesVersion: "1.36"
  stack: {metrics: {scrape: prometheus-operator, alerts: true}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: mi300x}
spec:
  clusters: [prod-swc]
  sku: Standard_ND96isr_MI300X_v5
  driver: operator
  limits: {gpus: 16}
"""
GOOD = BAD.replace(", alerts: true", "")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters that want alerts or dashboards and have pools of AMD's operator."""
    for cluster in inputs.clusters:
        its = (pool for pool in inputs.pools_on(cluster) if pool.manufacturer == "amd")
        pools = [pool.name for pool in its if driver_on(cluster, pool) == "operator"]
        for key in cluster.stack.metrics.watching if pools else ():
            origin, where = stack_place(inputs, cluster, "metrics", key)
            message = f"{key} are about NVIDIA GPUs: those of pool {listed(pools)} on {cluster.name} are not in them"
            yield Finding(origin, where, message, "write your own for these, of what AMD's exporter reports there")


RULE = Rule(
    code="AMD004",
    name="watching-without-amd",
    severity=Severity.WARNING,
    summary="A cluster with AMD GPUs has alerts or dashboards of gitgpu's, which do not see them.",
    help="AMD's exporter runs and is scraped, but AMD says of its metrics only which of them bare metal and a "
    "hypervisor have, and an Azure VM is neither. An alert on a series that is not there never fires.",
    sources=(
        "https://github.com/ROCm/device-metrics-exporter/blob/afd0fe81cfb1a36cf15e79edb057e92adb197946/docs/configuration/metrics-support-matrix.yaml",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
