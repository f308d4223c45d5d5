"""A small fleet as text with patches and values, and the result of the compiler."""

from typing import Any, NamedTuple

import yaml

from gitgpu.diagnostic import Diagnostic, in_order
from gitgpu.load.text import Text
from gitgpu.runs.build import Build, build
from gitgpu.runs.validate import link_fleet

ID = "/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/g/providers/Microsoft.ContainerService"
FLEET = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {{name: contoso}}
spec:
  delivery: {{repository: "https://github.com/contoso/gpu-fleet", engine: {engine}}}
  defaults:
    stack:
      driver: {driver}
      keda: helm
      metrics: {{scrape: prometheus-operator, server: "http://prom:9090"}}
{fleet}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {{name: prod, labels: {{env: prod}}}}
spec:
  region: swedencentral
  kubernetesVersion: "1.34"
{cluster}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {{name: a100}}
spec:
  clusters: [prod]
  sku: Standard_NC24ads_A100_v4
  limits: {{gpus: 4}}
{pool}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {{name: chat, namespace: serving}}
spec:
  pools: [a100]
  target: {{kind: Deployment, name: chat}}
  scaling: {{metric: query, query: "sum(waiting)", target: 4, max: 4}}
{workload}
"""


class Result(NamedTuple):
    """What a build found, and its files below the folder of the cluster prod."""

    made: Build
    files: dict[str, str]

    @property
    def findings(self) -> list[Diagnostic]:
        """Every finding, in order."""
        return list(in_order((*self.made.checked.diagnostics, *self.made.faults)))

    @property
    def codes(self) -> list[str]:
        """The codes of the findings."""
        return [finding.code for finding in self.findings]

    def body(self, path: str) -> Any:
        """The object of a file."""
        return yaml.load(self.files[path], yaml.CSafeLoader)

    def header(self, path: str) -> list[str]:
        """The comment lines at the head of a file."""
        return [line for line in self.files[path].splitlines() if line.startswith("#")]


def text(fleet: str = "", cluster: str = "", pool: str = "", workload: str = "", **how: str) -> str:
    """The fleet with more lines in the spec of a document."""
    given = {"engine": "flux", "driver": "aks", **how}
    return FLEET.format(fleet=fleet, cluster=cluster, pool=pool, workload=workload, **given)


def compiled(fleet: str = "", cluster: str = "", pool: str = "", workload: str = "", **how: str) -> Result:
    """The result of compiling it."""
    return compiled_text(text(fleet, cluster, pool, workload, **how))


def compiled_text(content: str) -> Result:
    """The result of compiling a fleet in one file."""
    spec = Text("fleet.yaml", content, "fleet.yaml")
    made = build(link_fleet([spec]))
    prod = {path.removeprefix("prod/"): file_text for path, file_text in made.files.items() if path.startswith("prod/")}
    return Result(made, prod)


def under(key: str, value: Any, depth: int = 1) -> str:
    """A key with a value as lines of YAML, at a depth of two columns each."""
    lines = yaml.safe_dump({key: value}, sort_keys=False, default_flow_style=False).splitlines()
    return "\n".join("  " * depth + line for line in lines)


def patches(*entries: tuple[dict[str, str], Any]) -> str:
    """The key `patches` of a document, from pairs of target and patch."""
    return under("patches", [{"target": target, "patch": patch} for target, patch in entries])
