"""Each of the two parts of a label or taint key has a maximum length."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.origin import Origin
from gitgpu.model.value_origins import pool_place, stack_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.source import Pointer

PREFIX, NAME = 253, 63  # what Kubernetes allows before and after the slash


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Keys of labels and taints in the spec that end up in Kubernetes objects."""
    # Several pools can take a key from the same defaults.
    findings: dict[object, Finding] = {}
    for origin, where, key in _keys(inputs):
        prefix, _, name = key.rpartition("/")
        for part, position, maximum in ((prefix, "before", PREFIX), (name, "after", NAME)):
            if len(part) > maximum:
                message = (
                    f"'{key[:20]}…' has {len(part)} characters {position} the slash, but at most {maximum} are allowed"
                )
                remedy = f"shorten that part to {maximum} characters"
                findings[origin.ref, origin.place_of(where)] = Finding(origin, where, message, remedy)
    yield from findings.values()


def _keys(inputs: Inputs) -> Iterator[tuple[Origin, Pointer, str]]:
    for pool in inputs.pools:
        yield from ((*pool_place(pool, "labels", key), key) for key in pool.labels)
        yield from ((*pool_place(pool, "annotations", key), key) for key in pool.objects.annotations)
        yield from ((*pool_place(pool, field), key) for field, key in _taints(pool))
    for cluster in inputs.clusters:
        yield from _monitor_labels(cluster)


def _taints(pool: Pool) -> Iterator[tuple[str, str]]:
    yield from (("taints", taint.key) for taint in pool.taints)
    yield from (("startupTaints", taint.key) for taint in pool.startup_taints)


def _monitor_labels(cluster: Cluster) -> Iterator[tuple[Origin, Pointer, str]]:
    for key in cluster.stack.metrics.labels:
        yield *stack_place(cluster, "metrics", "labels", key), key


RULE = Rule(
    code="SCH014",
    name="invalid-label",
    twin="CNF004",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A label or taint key has a part that is longer than Kubernetes allows.",
    help="The prefix before the slash is a DNS name of at most 253 characters, the name after it has at most 63. The "
    "validation of the NodePool CRD does not check this. Karpenter does, and the NodePool never becomes Ready.",
    sources=(
        "https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/apis/v1/nodepool_validation.go",
    ),
    check=_check,
)
