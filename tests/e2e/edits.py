"""Changes to the example fleet, one of each typical kind."""

from typing import NamedTuple


class Edit(NamedTuple):
    """Text for text in the spec, in turn; `changes` says whether anything in the cluster is another then."""

    name: str
    swaps: tuple[tuple[str, str], ...]
    changes: bool = True

    def apply(self, text: str) -> str:
        """The spec after the edit; ValueError where the spec does not say what is to be replaced exactly once."""
        for old, new in self.swaps:
            if text.count(old) != 1:
                raise ValueError(f"{self.name}: {text.count(old)} times in the spec: {old!r}")
            text = text.replace(old, new)
        return text


NEW_POOL = """\
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata:
  name: t4-new
spec:
  clusters: [prod-eus]
  sku: Standard_NC4as_T4_v3
  limits: {gpus: 2}
"""
NEW_WORKLOAD = """\
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata:
  name: novel
  namespace: serving
spec:
  pools: [t4-new]
  target: {kind: Deployment, name: novel}
  scaling:
    metric: gpu-utilization
    target: 70
    max: 2
"""
WORKSPACE = (
    "      workspace: /subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/monitoring/providers/"
    "Microsoft.Monitor/accounts/gpu-metrics-eus\n"
)
QUOTA = "  - {pool: a10-visual, gpus: 8}\n"
NEW_QUOTA = "  - {pool: t4-new, gpus: 2}\n"
END = "---\n# A Job for each message that waits; none while nothing does.\n"

EDITS = (
    Edit("a comment", (("## On prod-eus alone.", "## On prod-eus and nowhere else."),), changes=False),
    Edit("a default written out", (("  weight: 10\n", "  weight: 10\n  os: linux\n"),), changes=False),
    Edit(
        "the limit of a pool",
        (
            (
                "  limits: {gpus: 16}\n  disruption:\n    consolidateAfter: 30m",
                "  limits: {gpus: 12}\n  disruption:\n    consolidateAfter: 30m",
            ),
        ),
    ),
    Edit("how soon nodes are consolidated", (("consolidateAfter: 30m", "consolidateAfter: 45m"),)),
    Edit(
        "the disk of a node class",
        (
            (
                "  limits: {gpus: 32, nodes: 4}\n  driver: operator\n  image: {family: Ubuntu2204, osDiskGB: 1024}",
                "  limits: {gpus: 32, nodes: 4}\n  driver: operator\n  image: {family: Ubuntu2204, osDiskGB: 512}",
            ),
        ),
    ),
    Edit("a tag for all pools", (('tags: {costCentre: "4711"}', 'tags: {costCentre: "4712"}'),)),
    Edit(
        "spot with on-demand as the fallback",
        (
            ("capacity: [spot]\n  limits: {gpus: 4}", "capacity: [spot, on-demand]\n  limits: {gpus: 4}"),
            (
                "  - {pool: h100-spot, gpus: 4}\n",
                "  - {pool: h100-spot, capacity: spot, gpus: 2}\n  - {pool: h100-spot, capacity: on-demand, gpus: 2}\n",
            ),
        ),
    ),
    Edit("the zones of a pool", (('zones: ["1", "2"]', 'zones: ["1"]'),)),
    Edit("a new pool", ((END, NEW_POOL + END), (QUOTA, QUOTA + NEW_QUOTA))),
    Edit("a new workload", ((END, NEW_WORKLOAD + END),)),
    Edit("the target of a scaled workload", (("    target: 5\n    min: 0", "    target: 8\n    min: 0"),)),
    Edit("the image of a job", (("transcribe:2.1", "transcribe:2.2"),)),
    Edit("how many share a GPU", (("    mps: {replicas: 4}", "    mps: {replicas: 2}"),)),
    Edit(
        "the MIG profiles of a pool",
        (
            ("    mig:\n      profiles: {1g.10gb: 7}", "    mig:\n      profiles: {2g.20gb: 3}"),
            ("  mig: 1g.10gb\n  cuda", "  mig: 2g.20gb\n  cuda"),
        ),
    ),
    Edit("another branch of the driver", (('driverBranch: "580"', 'driverBranch: "595"'),)),
    Edit("no node problem detector", (("    health: npd\n", ""),)),
    Edit("no dashboards", ((f"      dashboards: true\n{WORKSPACE}", WORKSPACE),), changes=False),
    Edit("a workload that leaves", ((NEW_WORKLOAD, ""),)),
    Edit("a pool that retires", (("  name: t4-new\nspec:\n", "  name: t4-new\nspec:\n  retire: true\n"),)),
    Edit(
        "a retired pool that leaves",
        ((NEW_POOL.replace("spec:\n", "spec:\n  retire: true\n", 1), ""), (NEW_QUOTA, "")),
    ),
    Edit(
        "how often the engine looks",
        (
            (
                "    repository: https://github.com/contoso/gpu-fleet\n",
                "    repository: https://github.com/contoso/gpu-fleet\n    interval: 20m\n",
            ),
        ),
    ),
)
