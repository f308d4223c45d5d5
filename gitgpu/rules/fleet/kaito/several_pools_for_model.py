"""A model with several pools on one cluster."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.served_models import POOLS, Fault, ServedModel, findings
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Each finding once, regardless of the number of clusters."""
    return findings(inputs, _faults)


def _faults(placed: ServedModel, row: Facts) -> Iterator[Fault]:
    """Models with more than one pool on a cluster."""
    del row
    if len(placed.pools) > 1:
        names = [pool.name for pool in placed.pools]
        message = f"a model uses one pool on a cluster, but pools lists {join_names(names)} for {placed.cluster.name}"
        yield POOLS, message, "keep one of them, or create a GpuWorkload for each pool"


RULE = Rule(
    code="KTO005",
    name="several-pools-for-model",
    severity=Severity.ERROR,
    summary="A model names several pools of one cluster.",
    help="KAITO finds its nodes by labels with one value each, and requires identical nodes. gitgpu selects the pool "
    "by such a label, which cannot have two values.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/api/v1beta1/workspace_validation.go",
    ),
    check=_check,
)
