"""A gate that KAITO overwrites by its nodeProvisioner."""

from collections.abc import Iterator

from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.kaito_models import GATE, decides, installs, is_off, provisioner, rows
from gitgpu.diagnostic import Severity


def _check(objects: Objects) -> Iterator[Finding]:
    known = rows(objects)[-1]["provisioners"]["known"]
    for release in installs(objects):
        made = provisioner(release, objects)
        if release.whole and is_off(release) and decides(release, objects) and made in known and made != "byo":
            message = f"the gate has no effect: nodeProvisioner is {made}, and KAITO makes nodes"
            yield Finding(release.item, release.place(*GATE), message, "write nodeProvisioner: byo beside it")


RULE = Rule(
    code="KAI093",
    name="gate-that-kaito-overwrites",
    severity=Severity.ERROR,
    summary="KAITO is to make no nodes by its gate alone, and nodeProvisioner turns the gate off.",
    help="From 0.11 on KAITO sets disableNodeAutoProvisioning itself, by nodeProvisioner: on for byo, else off. "
    "The chart takes azure-gpu-provisioner where nothing is written, so a Workspace without an instanceType is "
    "refused, and one with it gets nodes made. Of the chart the gate still installs GPU Feature Discovery.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/056b8280b1a8debf644bc6f4399e913a1f9c7e70/cmd/workspace/main.go",
        "https://github.com/kaito-project/kaito/blob/056b8280b1a8debf644bc6f4399e913a1f9c7e70/charts/kaito/workspace/values.yaml",
    ),
    check=_check,
    bad="""
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: kaito-workspace, namespace: kaito-workspace}
spec:
  interval: 1h
  chart: {spec: {chart: workspace, version: 0.12.0, sourceRef: {kind: HelmRepository, name: kaito}}}
  values: {featureGates: {disableNodeAutoProvisioning: true}}
""",
    good="""
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: kaito-workspace, namespace: kaito-workspace}
spec:
  interval: 1h
  chart: {spec: {chart: workspace, version: 0.12.0, sourceRef: {kind: HelmRepository, name: kaito}}}
  values: {nodeProvisioner: byo, featureGates: {disableNodeAutoProvisioning: true}}
""",
)
