"""A model that needs a token must name the Secret that has it."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.served_models import Fault, ServedModel, findings
from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.inputs import Inputs
from gitgpu.model.kaito import needs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.36", stack: {kaito: helm}}
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
  inference: {preset: llama-3.1-8b-instruct}
"""
GOOD = BAD.replace("8b-instruct", "8b-instruct, accessSecret: hugging-face")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Each fault once, however many clusters have it."""
    return findings(inputs, _faults)


def _faults(one: ServedModel, row: Facts) -> Iterator[Fault]:
    """Gated models without a secret; older releases also refuse a secret that is not needed."""
    told = one.model.told
    needed = needs(told.get("preset", ""), row) if one.model.task == "inference" else None
    if needed and needed.get("gated") and "accessSecret" not in told:
        remedy = "write accessSecret: and the name of a Secret in the workload's namespace with the key HF_TOKEN"
        yield (
            one.place("preset"),
            f"KAITO {row['name']} downloads {told['preset']} with a token",
            remedy,
        )
    elif needed and "accessSecret" in told and not needed.get("gated") and not row["needlessSecret"]:
        message = f"KAITO {row['name']} refuses an access secret for {told['preset']}, which needs none"
        yield one.place("accessSecret"), message, "remove accessSecret"


RULE = Rule(
    code="KTO004",
    name="gated-model-without-secret",
    severity=Severity.ERROR,
    summary="A model is gated, and the workload names no access secret.",
    help="Somebody has to accept the licence of a gated model at Hugging Face. KAITO downloads it with their token, "
    "HF_TOKEN in a Secret beside the workload, and its admission refuses the object without one.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/api/v1beta1/workspace_validation.go",
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/presets/workspace/models/supported_models.yaml",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
