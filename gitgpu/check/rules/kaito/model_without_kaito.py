"""A model that KAITO shall run needs KAITO on the cluster."""

from collections.abc import Iterator
from itertools import groupby

from gitgpu.check.names import join_names
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.served_models import served_models
from gitgpu.check.value_origins import stack_with_place
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.36", stack: {kaito: none}}
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
  inference: {preset: phi-4-mini-instruct}
"""
GOOD = BAD.replace("kaito: none", "kaito: helm")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Models on clusters without KAITO."""
    for model, found in groupby(served_models(inputs), lambda one: one.model):
        without = [stack_with_place(inputs, one.cluster, "kaito") for one in found if one.row is None]
        if without:
            message = f"KAITO runs the model, and there is no KAITO on {join_names(without)}"
            remedy = "write stack: {kaito: helm} on the Cluster or in the Fleet's defaults"
            yield Finding(model.origin, ("spec", model.task), message, remedy)


RULE = Rule(
    code="KTO001",
    name="model-without-kaito",
    severity=Severity.ERROR,
    summary="A workload is a model for KAITO on a cluster that has no KAITO.",
    help="Without KAITO's custom resource definitions the API server knows neither InferenceSet nor Workspace, and the "
    "overlay does not apply.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/api/v1beta1/workspace_types.go",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
