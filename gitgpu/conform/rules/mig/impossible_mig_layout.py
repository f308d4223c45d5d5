"""A MIG layout that fits no GPU."""

from collections.abc import Iterator

from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.software.mig_layouts import Layout, layouts
from gitgpu.diagnostic import Severity
from gitgpu.model.mig import base, cut
from gitgpu.model.sku import Gpu


def _check(objects: Objects) -> Iterator[Finding]:
    gpus = [gpu for gpu in objects.catalog.gpus if gpu.mig]
    for layout in layouts(objects):
        for what in _faults(layout, gpus):
            message = f"the layout {layout.name} fits no GPU: {what}"
            yield Finding(layout.item, layout.pointer, message, "write profiles and counts that one GPU has")


def _faults(layout: Layout, gpus: list[Gpu]) -> Iterator[str]:
    for group in layout.groups:
        known = [{gpu.name for gpu in gpus if base(one) in (gpu.mig or {})} for one in group]
        if not all(known):
            continue  # a GPU that the catalog does not have
        both = frozenset.intersection(*map(frozenset, known))
        if not both:
            yield f"no GPU has all of {', '.join(group)}"
            continue
        reasons = [cut(gpu, group) for gpu in gpus if gpu.name in both]
        if all(reasons):
            yield f"{min(both)}: {reasons[0]}"


RULE = Rule(
    code="SHR012",
    name="impossible-mig-layout",
    severity=Severity.ERROR,
    summary="A MIG layout mixes profiles of different GPUs, or cuts a GPU into more than it has.",
    help=(
        "A GPU has a fixed number of slices, each profile takes some of them, and the memory in a profile's "
        "name belongs to one kind of GPU. The MIG manager cannot apply such a layout anywhere."
    ),
    sources=(
        "https://docs.nvidia.com/datacenter/tesla/mig-user-guide/supported-mig-profiles.html",
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/assets/state-mig-manager/0400_configmap.yaml",
    ),
    check=_check,
    bad="""
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: gpu-operator, namespace: gpu-operator}
spec:
  interval: 1h
  chart: {spec: {chart: gpu-operator, version: v26.7.0, sourceRef: {kind: HelmRepository, name: nvidia}}}
  values:
    migManager:
      env: [{name: WITH_REBOOT, value: "true"}]
      config:
        create: true
        name: layouts
        data:
          config.yaml: |
            version: v1
            mig-configs:
              five:
              - {devices: all, mig-enabled: true, mig-devices: {1g.10gb: 6, 2g.20gb: 1}}
""",
    good="""
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: gpu-operator, namespace: gpu-operator}
spec:
  interval: 1h
  chart: {spec: {chart: gpu-operator, version: v26.7.0, sourceRef: {kind: HelmRepository, name: nvidia}}}
  values:
    migManager:
      env: [{name: WITH_REBOOT, value: "true"}]
      config:
        create: true
        name: layouts
        data:
          config.yaml: |
            version: v1
            mig-configs:
              five:
              - {devices: all, mig-enabled: true, mig-devices: {1g.10gb: 5, 2g.20gb: 1}}
""",
)
