"""A model says one thing about how many replicas there are."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.served_models import Fault, ServedModel, findings
from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.36", stack: {kaito: helm, keda: helm}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: a100}
spec: {clusters: [prod-swc], sku: Standard_NC24ads_A100_v4, limits: {gpus: 8}, image: {osDiskGB: 256}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: chat, namespace: serving}
spec:
  pools: [a100]
  inference:
    preset: phi-4-mini-instruct
    scaling: {waiting: 10, min: 6, max: 4}
"""
GOOD = BAD.replace("    scaling: {waiting: 10, min: 6, max: 4}\n", "")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Each fault once, however many clusters have it."""
    return findings(inputs, _faults)


def _faults(one: ServedModel, row: Facts) -> Iterator[Fault]:
    """Models with min above max, or with replicas beside scaling."""
    del row
    scaling = one.model.told.get("scaling")
    if scaling and scaling["min"] > scaling["max"]:
        message = f"the fewest replicas ({scaling['min']}) are more than the most ({scaling['max']})"
        yield one.place("scaling", "min"), message, f"write min: {scaling['max']} or less, or raise max"
    if scaling and "replicas" in one.model.told:
        yield one.place("replicas"), "scaling decides how many replicas there are", "remove replicas, or scaling"


RULE = Rule(
    code="KTO017",
    name="crossed-replicas-of-a-model",
    severity=Severity.ERROR,
    summary="A model's fewest replicas are more than its most, or it has both scaling and replicas.",
    help="keda-kaito-scaler makes no ScaledObject for crossed bounds, and says so in an event only. What scales a "
    "model owns the number of its replicas.",
    sources=(
        "https://github.com/kaito-project/keda-kaito-scaler/blob/3ce909d4c4250ff30fb4850d0c238e74fd42998d/pkg/controllers/autoprovision/auto_provision_controller.go",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
