"""A Job for each pool that tests its GPUs, in a separate namespace that is deleted together with the Jobs.

A person applies them, and each gets a node. Only a pod that has computed something proves that its GPUs work.
"""

from collections.abc import Iterator

from gitgpu.emit.emitter import Body, Emitter, environment, on_pools, tolerating
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.emit.namespaces import VERIFICATION
from gitgpu.emit.pod.claims import claim_template
from gitgpu.emit.pod.plugin_config import HARDENED
from gitgpu.model.names.annotations import DO_NOT_DISRUPT_ANNOTATION, SAFE_TO_EVICT_ANNOTATION
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.verification import Sample

CLAIM = "gpus"  # the name of the claim in the pod
WAIT = 3600  # seconds, mostly for a node with a driver: some minutes for AKS's, up to 20 for the GPU Operator's
TTL_SECONDS = 86400  # seconds after which a finished Job is deleted
PROTECTED = {SAFE_TO_EVICT_ANNOTATION: "false", DO_NOT_DISRUPT_ANNOTATION: "true"}
CUDA = """\
set -eu
found=$(nvidia-smi -L | grep -c '^GPU' || true)
echo "GPUs: $found, expected $GPUS"
test "$found" -eq "$GPUS"
driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)
echo "driver: $driver, expected branch $DRIVER or newer"
test "${driver%%.*}" -ge "$DRIVER"
/cuda-samples/vectorAdd
"""
ROCM = """\
set -eu
found=$(rocminfo | grep -c 'Device Type: *GPU' || true)
echo "GPUs: $found, expected $GPUS"
test "$found" -eq "$GPUS"
"""
SCRIPTS = {"nvidia": CUDA, "amd": ROCM}
ROOT = {"nvidia": {}, "amd": {"runAsUser": 0}}  # the user of the image may not open /dev/kfd


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """The namespace, and for each pool a Job, with a claim template if its GPUs are claimed."""
    where = plan.cluster.name
    if plan.care.samples:
        namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": VERIFICATION}}
        yield Manifest(where, Layer.VERIFY, namespace, plan.mark)
    for sample in plan.care.samples:
        yield Manifest(where, Layer.VERIFY, _job(sample), sample.mark, rows=sample.rows)
        if sample.claim:
            yield Manifest(where, Layer.VERIFY, claim_template(sample.claim, VERIFICATION), sample.mark)


def _job(sample: Sample) -> Body:
    spec = {
        "backoffLimit": 0,
        "activeDeadlineSeconds": WAIT,
        "ttlSecondsAfterFinished": TTL_SECONDS,
        "template": {"metadata": {"annotations": PROTECTED}, "spec": _pod(sample)},
    }
    meta = {"name": sample.pool, "namespace": VERIFICATION}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": meta, "spec": spec}


def _pod(sample: Sample) -> Body:
    claims: Body = {}
    if sample.claim:
        claims = {"resourceClaims": [{"name": CLAIM, "resourceClaimTemplateName": sample.claim.template}]}
    return {
        "restartPolicy": "Never",
        "automountServiceAccountToken": False,
        "affinity": on_pools(sample.nodes),
        **tolerating(sample.tolerations),
        **claims,
        "containers": [_container(sample)],
    }


def _container(sample: Sample) -> Body:
    variables = {"GPUS": str(sample.gpus)}
    if sample.driver:
        variables["DRIVER"] = sample.driver
    requests = {"requests": {"cpu": "100m", "memory": "256Mi"}}
    gpus = {"claims": [{"name": CLAIM}]} if sample.claim else {"limits": {sample.resource: str(sample.gpus)}}
    return {
        "name": "verify",
        "image": sample.image,
        "command": ["sh", "-c", SCRIPTS[sample.manufacturer]],
        "env": environment(variables),
        "resources": {**requests, **gpus},
        "securityContext": {**ROOT[sample.manufacturer], **HARDENED},
    }


EMITTER = Emitter("verification", emit)
