"""KAITO's scaler in another namespace than KEDA."""

from collections.abc import Iterator

from gitgpu.conform.gitops.releases import releases
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity


def _check(objects: Objects) -> Iterator[Finding]:
    homes = {one.namespace for one in releases(objects, "keda")}
    for scaler in releases(objects, "keda-kaito-scaler"):
        if len(homes) == 1 and all(homes) and scaler.namespace and scaler.namespace not in homes:
            [home] = homes
            message = f"the scaler is in namespace {scaler.namespace}, and KEDA in {home}"
            yield Finding(scaler.item, ("metadata", "name"), message, f"install it into {home}")


RULE = Rule(
    code="KAI061",
    name="scaler-apart-from-keda",
    severity=Severity.ERROR,
    summary="keda-kaito-scaler is installed into another namespace than KEDA.",
    help="The scaler's ClusterTriggerAuthentication names secrets of its own namespace, and KEDA reads those of a "
    "cluster-wide authentication in its own. Apart, KEDA never reaches the scaler, and nothing scales.",
    sources=(
        "https://github.com/kaito-project/keda-kaito-scaler/blob/3ce909d4c4250ff30fb4850d0c238e74fd42998d/README.md",
    ),
    check=_check,
    bad="""
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: keda, namespace: keda}
spec:
  interval: 1h
  chart: {spec: {chart: keda, version: 2.20.2, sourceRef: {kind: HelmRepository, name: keda}}}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: keda-kaito-scaler, namespace: kaito-workspace}
spec:
  interval: 1h
  chart: {spec: {chart: keda-kaito-scaler, version: 0.6.2, sourceRef: {kind: HelmRepository, name: kaito}}}
""",
    good="""
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: keda, namespace: keda}
spec:
  interval: 1h
  chart: {spec: {chart: keda, version: 2.20.2, sourceRef: {kind: HelmRepository, name: keda}}}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: keda-kaito-scaler, namespace: keda}
spec:
  interval: 1h
  chart: {spec: {chart: keda-kaito-scaler, version: 0.6.2, sourceRef: {kind: HelmRepository, name: kaito}}}
""",
)
