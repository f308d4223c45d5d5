"""A model that scales needs KEDA's Helm chart beside KAITO's scaler."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.served_models import Fault, ServedModel, findings
from gitgpu.check.value_origins import stack_with_place
from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.36", stack: {kaito: helm, keda: addon}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: a100}
spec: {clusters: [prod-swc], sku: Standard_NC24ads_A100_v4, limits: {gpus: 4}, image: {osDiskGB: 256}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: chat, namespace: serving}
spec:
  pools: [a100]
  inference:
    preset: phi-4-mini-instruct
    scaling: {waiting: 10, max: 4}
"""
GOOD = BAD.replace("    scaling: {waiting: 10, max: 4}\n", "")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Each fault once, however many clusters have it."""
    return findings(inputs, _faults)


def _faults(one: ServedModel, row: Facts) -> Iterator[Fault]:
    """Scaled models on clusters whose KEDA gitgpu does not install."""
    del row
    keda = one.cluster.stack.keda
    if "scaling" in one.model.told and keda != "helm" and not one.on_add_on:
        where = stack_with_place(one.inputs, one.cluster, "keda")
        message = f"keda-kaito-scaler has to be in KEDA's namespace, and keda is {keda} on {where}"
        yield one.place("scaling"), message, "write stack: {keda: helm}"


RULE = Rule(
    code="KTO011",
    name="scaler-apart-from-keda",
    severity=Severity.ERROR,
    summary="A model scales on a cluster where KEDA is not installed from its chart.",
    help="keda-kaito-scaler keeps the secrets that KEDA speaks to it with, and KEDA reads them in its own namespace "
    "only. AKS runs its KEDA in kube-system, which is not ours to install into.",
    sources=(
        "https://github.com/kaito-project/keda-kaito-scaler/blob/3ce909d4c4250ff30fb4850d0c238e74fd42998d/README.md",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
