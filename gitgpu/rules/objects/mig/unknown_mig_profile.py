"""A MIG profile that no GPU has."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.devices import device_rows, intended_device, named_resources, parts
from gitgpu.objects.workload.pods import described_pods
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    prefixes = tuple(row["parts"] for row in device_rows(objects) if row["parts"])
    profiles = objects.once_per_run("profiles of GPUs", lambda: {_profile(name) for name in parts(objects).values()})
    for pod in described_pods(objects):
        for place, name, _ in named_resources(pod):
            profile = _profile(name)
            # POD011 reports a misspelled profile.
            if name.startswith(prefixes) and not intended_device(name, objects) and profile not in profiles:
                same = sorted(other for other in profiles if other.partition(".")[0] == profile.partition(".")[0])
                remedy = f"use a profile of your GPU: {', '.join(same or sorted(profiles))}"
                yield Finding(pod.item, place, f"no GPU on Azure has the MIG profile {profile}", remedy, at_key=True)


def _profile(name: str) -> str:
    """The compute and memory of a profile, such as 1g.10gb, without attributes such as +me."""
    return ".".join(name.rpartition("/")[2].removeprefix("mig-").split(".")[:2])


RULE = Rule(
    code="POD012",
    name="unknown-mig-profile",
    severity=Severity.ERROR,
    summary="A container requests a MIG profile that no GPU on Azure has.",
    help="The name of a profile states how many sevenths of the compute and how much memory it has. Each GPU has its "
    "own profiles: 1g.5gb on an A100 with 40 GB, 1g.10gb on one with 80 GB, 1g.12gb on the H100 NVL, 1g.18gb on an "
    "H200.",
    sources=(
        "https://docs.nvidia.com/datacenter/tesla/mig-user-guide/supported-mig-profiles.html",
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/assets/state-mig-manager/0400_configmap.yaml",
    ),
    check=_check,
)
