"""A GPU partition that KAITO rejects."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import INFERENCE_SET, WORKSPACE
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.kaito_models import models, newest
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer
from gitgpu.spelling import nearest


def _check(objects: Objects) -> Iterator[Finding]:
    for model in models(objects, WORKSPACE.kind, INFERENCE_SET.kind):
        partition = model.resource.get("partition")
        if not partition:
            continue
        place: Pointer = (*model.resource_at, "partition")
        if model.resource.get("instanceType"):
            message = "partition works only on existing nodes, but instanceType makes KAITO create nodes"
            remedy = "remove instanceType and turn off node provisioning by KAITO, or remove the partition"
            yield Finding(model.item, place, message, remedy, at_key=True)
        if model.tuning is not None:
            yield Finding(model.item, place, "tuning does not support a partition", "remove the partition", at_key=True)
        profiles = newest(objects)["migProfiles"]
        faults = _mig_faults(partition, profiles) if partition.get("mode") == "mig" else _accelerator_faults(partition)
        for path, message, remedy in faults:
            yield Finding(model.item, (*place, *path), message, remedy)


def _mig_faults(partition: Mapping[str, Any], profiles: list[str]) -> Iterator[tuple[Pointer, str, str]]:
    profile = partition.get("profile")
    if partition.get("count") is not None:
        yield ("count",), "mode mig does not support count: a MIG workload has one slice", "remove count"
    if not profile:
        yield (), "mode mig needs a profile", "add a profile, such as 1g.10gb"
    elif profile not in profiles:
        closest = nearest(profile, profiles, 0.7)  # with the prefix of resource names, mig-1g.5gb has 0.75
        remedy = f"did you mean {closest}?" if closest else "use a profile without a prefix, such as 1g.10gb"
        yield ("profile",), f"unknown MIG profile '{profile}'", remedy


def _accelerator_faults(partition: Mapping[str, Any]) -> Iterator[tuple[Pointer, str, str]]:
    if partition.get("profile"):
        yield ("profile",), "only mode mig supports a profile", "remove profile, or set mode: mig"
    if partition.get("count") is None:
        yield (), "mode accelerator needs a count", "add count, the number of GPUs that it uses on the node"


RULE = Rule(
    code="KAI007",
    name="invalid-gpu-partition",
    severity=Severity.ERROR,
    rejects=True,
    summary="A partition is used with an instanceType or tuning, or its profile or count does not fit its mode.",
    help="KAITO partitions GPUs only on existing nodes, not on nodes that it creates. Mode mig needs a profile and "
    "uses one slice of it. Mode accelerator needs a number of whole GPUs. KAITO's admission webhook rejects "
    "anything else.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/api/v1beta1/workspace_validation.go",
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/pkg/utils/mig/mig.go",
    ),
    facts=("kaito/*",),
    check=_check,
)
