"""A field for workloads with a target, on a model that KAITO runs."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import is_written, with_place
from gitgpu.rules.fleet_rule import Finding, Rule

KEYS = {  # each with its remedy
    "gpus": "remove it: a replica takes all GPUs of a node",
    "mig": "remove it: a replica takes whole GPUs",
    "rdma": "remove it: KAITO's pods do not request NICs",
    "computeDomain": "remove it: KAITO's pods claim nothing",
    "cuda": "remove it: KAITO brings its own image",
    "job": "remove it: KAITO creates the pods",
    "scaling": "set scaling below inference: {waiting: 10, max: 4}",
}


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Models with fields of a workload with a target."""
    for model in inputs.models:
        for key, remedy in KEYS.items():
            if is_written(model.origin, ("spec", key)):
                this = with_place("this workload", model.origin, ("spec", model.task))
                message = f"{key} applies to workloads with a target, but KAITO runs {this}"
                yield Finding(model.origin, ("spec", key), message, remedy)


RULE = Rule(
    code="KTO018",
    name="target-field-on-model",
    severity=Severity.ERROR,
    summary="A workload for KAITO has a field that only workloads with a target have.",
    help="KAITO gives its pods all GPUs of a node, brings its own image with its own CUDA, and scales on the "
    "length of vLLM's queue.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/pkg/workspace/inference/preset_inferences.go",
    ),
    check=_check,
)
