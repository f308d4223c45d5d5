"""A GPU Operator whose container toolkit writes a file that containerd on AKS nodes rejects."""

from collections.abc import Iterator

from gitgpu.access import list_at
from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.syntax.version import NUMBERS, version
from gitgpu.objects.gitops.chart_values import effective_value, operators
from gitgpu.objects.gitops.releases import Release
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.container_runtime import Runtime, runtimes_reached
from gitgpu.objects.software.daemons import daemons
from gitgpu.rules.object_rule import Finding, Rule

_DUMP = "command"  # the toolkit then runs `containerd config dump`
_NEWEST = ("", "*")  # versions of a release that stand for the newest
# With these, the toolkit reads another dump, or writes no file that containerd reads.
_OTHERWISE = ("RUNTIME_EXECUTABLE_PATH", "RUNTIME_RESTART_MODE")


def _check(objects: Objects) -> Iterator[Finding]:
    facts = objects.catalog.must("runtimes", "containerd")
    for release in operators(objects):
        toolkits = (daemon for daemon in daemons(objects, "container-toolkit") if daemon.item is release.item)
        daemon = next(toolkits, None)
        if daemon and release.whole and _is_affected(release, facts) and _dumps(release, facts, objects):
            runtimes = runtimes_reached(daemon, objects)
            refusing = next((toolkit for toolkit in runtimes if _refuses(toolkit.containerd, facts)), None)
            if refusing:
                yield _finding(release, refusing, facts)


def _is_affected(release: Release, facts: Facts) -> bool:
    """Whether its toolkit reads a dump first. No version means the newest; ranges and digests are not checked."""
    written = str(release.value("toolkit", "version") or "")
    named, first = (written, facts["toolkit"]["version"]) if written else (release.version, facts["toolkit"]["chart"])
    if named in _NEWEST:
        return True
    return bool(NUMBERS.match(named)) and version(named) >= version(first)


def _dumps(release: Release, facts: Facts, objects: Objects) -> bool:
    # Then the toolkit does not touch the configuration of containerd.
    if effective_value(release, objects, "cdi", "nriPluginEnabled") is True:
        return False
    written_variables = (
        variable for variable in list_at(release.value("toolkit", "env")) if isinstance(variable, dict)
    )
    env = {str(variable.get("name")): variable.get("value") for variable in written_variables}
    name = facts["toolkit"]["env"]
    source = env.get(f"{name}S") or env.get(name)
    if source:
        return str(source).partition(",")[0].strip() == _DUMP
    return not any(variable in env for variable in _OTHERWISE)


def _refuses(containerd: Facts, facts: Facts) -> bool:
    newer: bool = version(containerd["version"]) >= version(facts["refusesNewerDropIns"])
    return newer and containerd["config"] < facts["config"]


def _finding(release: Release, runtime: Runtime, facts: Facts) -> Finding:
    containerd = runtime.containerd
    message = (
        f"the container toolkit writes a containerd drop-in file of version {facts['config']}, but on {runtime.pool} "
        f"({runtime.os}, containerd {containerd['version']}) the root file is version {containerd['config']}"
    )
    remedy = f"add {{name: {facts['toolkit']['env']}, value: {facts['toolkit']['value']}}} to toolkit.env"
    return Finding(*release.locate("toolkit", "env"), message, remedy)


RULE = Rule(
    code="DRV082",
    name="toolkit-breaks-containerd",
    severity=Severity.ERROR,
    summary="The GPU Operator's container toolkit writes a drop-in file that containerd on AKS rejects.",
    help="The toolkit takes the version of its drop-in file from `containerd config dump`, which migrates the "
    "configuration to the newest version. containerd 2.3 rejects a drop-in file that is newer than its root file: it "
    "does not restart, and the node becomes NotReady. With RUNTIME_CONFIG_SOURCE=file, the toolkit reads the root "
    "file.",
    sources=(
        "https://github.com/NVIDIA/aicr/issues/1688",
        "https://github.com/NVIDIA/aicr/pull/1689",
        "https://github.com/NVIDIA/gpu-operator/issues/2646",
        "https://github.com/azimuth-cloud/capi-helm-charts/pull/838",
        "https://github.com/NVIDIA/nvidia-container-toolkit/blob/d34b3046758cb1a5db606b2a39519c731bbf9f56/cmd/nvidia-ctk-installer/container/runtime/runtime.go",
        "https://github.com/containerd/containerd/blob/fff62f14765df376e5fc36f5a8f8e795b5670f61/cmd/containerd/server/config/config.go",
        "https://github.com/Azure/AgentBaker/blob/06836ee2301e362039418c3a7ed0fe6004a641fd/parts/common/components.json",
        "https://github.com/Azure/AgentBaker/blob/06836ee2301e362039418c3a7ed0fe6004a641fd/pkg/agent/baker.go",
    ),
    facts=("runtimes/containerd",),
    check=_check,
)
