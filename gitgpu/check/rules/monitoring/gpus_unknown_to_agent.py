"""Container insights counts GPUs by the names that its agent knows."""

from collections.abc import Iterator

from gitgpu.check.node_pools import EXAMPLE
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import stack_place
from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs, is_claimed

BAD = f"""\
{EXAMPLE}  stack: {{metrics: {{containerInsights: inventory}}}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {{name: win}}
spec:
  clusters: [prod-swc]
  os: windows
  sku: Standard_NC16as_T4_v3
  nodes: {{min: 1, max: 2}}
""".replace("prod-swc", "studio-swc")
GOOD = BAD.replace("  os: windows\n", "")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters that ask for nothing but a count, where pods get GPUs under other names on all pools."""
    known = inputs.catalog.must("agents", "ama-logs")["counted"]
    for cluster in (one for one in inputs.clusters if one.stack.metrics.insights == "inventory"):
        pools = inputs.pools_on(cluster)
        if pools and not any(_counted(cluster, pool, known) for pool in pools):
            message = f"the agent on {cluster.name} counts no GPUs: no pool advertises {' or '.join(known)}"
            remedy = "write containerInsights: none, or look at the pods and nodes themselves"
            yield Finding(*stack_place(inputs, cluster, "metrics", "containerInsights"), message, remedy)


def _counted(cluster: Cluster, pool: Pool, known: tuple[str, ...]) -> bool:
    named = pool.mig and not pool.mig.single
    return not named and not is_claimed(cluster, pool) and any(pool.resource(sku) in known for sku in pool.skus)


RULE = Rule(
    code="MET063",
    name="gpus-unknown-to-agent",
    severity=Severity.WARNING,
    summary="Container insights is to show the GPUs of a cluster, and its agent knows none of their names.",
    help="The agent counts what nodes offer and containers ask for under two names: nvidia.com/gpu and amd.com/gpu. "
    "Windows nodes, MIG instances under names of their own, and claimed GPUs have others, or none.",
    sources=(
        "https://github.com/microsoft/Docker-Provider/blob/b78055842aead6e9a6329fd83db20341e8eec35d/source/plugins/ruby/KubernetesApiClient.rb",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
