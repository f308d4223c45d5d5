"""A target with an apiVersion that its kind does not have."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.objects.workload.known_kinds import VERSIONS
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads whose target has a version of another kind, or none that gitgpu can patch."""
    for workload in inputs.workloads:
        known = VERSIONS[workload.target_kind]
        if workload.target_version and workload.target_version not in known:
            message = f"{workload.target_kind} is not in {workload.target_version}, but in {join_names([*known])}"
            remedy = f"set target.apiVersion to {' or '.join(known)}, or remove it"
            yield Finding(workload.origin, ("spec", "target", "apiVersion"), message, remedy)


RULE = Rule(
    code="SCH034",
    name="unknown-target-version",
    severity=Severity.ERROR,
    summary="The apiVersion of a target does not have its kind.",
    help="A patch changes an object at the places that its version has. Kubernetes and Volcano both have a kind Job, "
    "and the versions of a DynamoGraphDeployment write their pods in different places: such a target needs it.",
    sources=(
        "https://github.com/volcano-sh/volcano/blob/ed72c7c815a9fd547a787134676f73d42e9d049c/config/crd/volcano/bases/batch.volcano.sh_jobs.yaml",
    ),
    check=_check,
)
