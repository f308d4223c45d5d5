"""A workload that scales on a metric of GPUs that it shares with other workloads."""

from collections.abc import Iterator
from itertools import chain, product

from gitgpu.diagnostic import Severity
from gitgpu.model.driver_owner import driver_on
from gitgpu.model.fleet import Workload
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.drivers import OPERATOR
from gitgpu.model.syntax.version import version
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import gpu_signals
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads that scale on a metric of GPUs that other workloads use too, or on one that is 0 on shared GPUs."""
    users: dict[tuple[str, str], list[Workload]] = {}
    for workload in inputs.workloads:
        for place in _shared_pools(inputs, workload):
            users.setdefault(place, []).append(workload)
    of_processes = _fields_of_processes(inputs) if users else {}
    for workload, signal, metric in gpu_signals(inputs):
        places, at = _shared_pools(inputs, workload), (*signal.place, "metric")
        if names := [pool for pool, cluster in places if of_processes[pool, cluster] & {*metric["fields"]}]:
            message = (
                f"{signal.metric} is 0 for each pod in pool {join_names(dict.fromkeys(names))}: the exporter takes it "
                "from processes there, and cannot see whose they are"
            )
            yield Finding(workload.origin, at, message, "scale on a query about the workload's own requests")
            continue
        sharing = chain.from_iterable(users[place] for place in places)
        others = dict.fromkeys(other.name for other in sharing if other is not workload)
        if others:
            message = f"{signal.metric} measures the whole GPU, and {join_names(others)} may use the same GPU"
            remedy = "scale on a query about the workload's own requests, or give the workload a pool for itself"
            yield Finding(workload.origin, at, message, remedy)


def _fields_of_processes(inputs: Inputs) -> dict[tuple[str, str], set[str]]:
    """The fields that the exporter takes from processes on shared GPUs, by pool and cluster."""
    found: dict[tuple[str, str], set[str]] = {}
    for cluster in inputs.clusters:
        catalog = inputs.catalog_for(cluster)
        facts = catalog.must("dcgm", "fields").get("ofProcesses") or {"since": "0", "fields": ()}
        own = catalog.must("containers", "dcgm-exporter")["version"]
        releases = {"aks": own, "operator": catalog.must("charts", OPERATOR)["components"].get("dcgm-exporter")}
        for pool in inputs.pools_on(cluster):
            release = releases.get(driver_on(cluster, pool))
            is_newer = bool(release) and version(release) >= version(facts["since"])
            found[pool.name, cluster.name] = set(facts["fields"]) if is_newer else set()
    return found


def _shared_pools(inputs: Inputs, workload: Workload) -> list[tuple[str, str]]:
    """The pools of a workload whose GPUs are shared, on each cluster, in the order in which it names them."""
    clusters = {pool.name: pool.clusters for pool in inputs.pools_named(workload) if pool.sharing.way}
    places: list[tuple[str, str]] = []
    for name in workload.pools:
        places += product([name], clusters.get(name, ()))
    return places


RULE = Rule(
    code="SCL012",
    name="gpu-metric-on-shared-gpu",
    severity=Severity.WARNING,
    summary="A workload scales on a GPU metric that does not measure its share of a GPU.",
    help="DCGM measures a GPU, not the share of a pod, and the exporter reports the same value for every pod on "
    "the GPU. The load of one workload then scales the other. As of 4.5.3, the exporter takes utilisation and used "
    "memory of shared GPUs from the processes of each pod instead. It finds them only in the PID namespace of the host "
    "and with access to the API; without, it reports 0.",
    sources=(
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/gpu-sharing.rst",
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/internal/pkg/transformation/kubernetes.go",
        "https://github.com/NVIDIA/dcgm-exporter/blob/691c92762eb551313c825f6efe4ceeee20982801/internal/pkg/transformation/process_metrics.go",
    ),
    facts=("metrics", "dcgm/fields"),
    check=_check,
)
