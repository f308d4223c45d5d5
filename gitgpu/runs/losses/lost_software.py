"""Pools whose running nodes would lose their device plugin or driver: a build refuses this without --allow-removal.

A DaemonSet leaves a node within seconds after its affinity no longer matches. Karpenter and AKS replace the node much
later, or never. So a pool whose driver comes from another source has nodes that advertise no GPUs.
"""

from collections.abc import Iterator, Mapping, Sequence
from posixpath import basename
from typing import Any, NamedTuple

from gitgpu.access import mapping_at
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.read import listing
from gitgpu.model.names.labels import DEPLOY_OPERANDS_LABEL
from gitgpu.model.software.drivers import OPERATORS
from gitgpu.model.software.names import AMD_DRIVER, DEVICE_PLUGIN, DRA_DRIVER, NODE_FEATURE_DISCOVERY, daemon_of
from gitgpu.objects.node.selection import Label, PoolNodes, selects
from gitgpu.runs.losses.recorded_labels import creating_text, recorded_label, text_of
from gitgpu.runs.losses.removed_pools import Records, is_named, pool_file
from gitgpu.source import Span
from gitgpu.write.cluster_record import ClusterRecord
from gitgpu.write.file_texts import Texts

_DAEMON_SET = "daemonset-"  # as names of files begin
# A node needs these DaemonSets and charts to have GPUs.
_DAEMONS = (DEVICE_PLUGIN, "amd-device-plugin", AMD_DRIVER)
_CHARTS = ("gpu-operator", "amd-gpu-operator", DRA_DRIVER)
_OTHER_POOL = (
    "keep driver of this pool as it was, also if stack.driver changes, add a pool with a different name and the new "
    "settings, set retire: true on this one, and remove it when its nodes are gone; or build with {}"
)
_ALL_POOLS = (
    "stack.allocation applies to all pools of the cluster: delete the GPU pods on these nodes, build with {}, and "
    "start the pods again when the new software runs; or add a cluster with the new setting"
)


class _Lost(NamedTuple):
    """What a pool loses, by the names of its objects."""

    cluster: str
    pool: str
    nodes: str
    objects: tuple[str, ...]


class _Change(NamedTuple):
    """An object before and after; `after` is empty if it is removed."""

    path: str
    before: Mapping[str, Any]
    after: Mapping[str, Any]

    @property
    def file(self) -> str:
        """The name of the file, without its extension."""
        return basename(self.path).removesuffix(".yaml")

    @property
    def software(self) -> str:
        """What it runs. DaemonSets of the same software run on different nodes, under different names."""
        return _software(self.file)

    @property
    def title(self) -> str:
        """Kind and name in messages."""
        return f"{self.before.get('kind')} {(self.before.get('metadata') or {}).get('name')}"


class _Build(NamedTuple):
    """What a build writes over the overlays of a cluster in `out`. The records are those before and after it."""

    out: str
    cluster: str
    texts: Texts
    old: ClusterRecord
    new: ClusterRecord

    def daemon_sets(self, software: str) -> Iterator[Mapping[str, Any]]:
        """The DaemonSets that the build writes with this software."""
        above = f"{self.cluster}/controllers/{_DAEMON_SET}"
        for path, text in self.texts.items():
            if software and path.startswith(above) and _software(basename(path)) == software:
                yield body_of(text)


def lost_software(out: str, texts: Texts, old: Records, new: Records, allowed: Sequence[str]) -> Iterator[Diagnostic]:
    """A fault for each pool that the build keeps, but without what makes GPUs of its running nodes usable.

    `old` are the records of the existing overlays.
    """
    for cluster in sorted(old.keys() & new.keys()):
        changed = [_Change(path, *map(body_of, texts_of)) for path, *texts_of in _changed_texts(out, cluster, texts)]
        build = _Build(out, cluster, texts, old[cluster], new[cluster])
        for lost in _losses(build, changed) if changed else ():
            if not is_named(cluster, lost.pool, allowed):
                way = _ALL_POOLS if _changes_claims(out, cluster, texts) else _OTHER_POOL
                yield _fault(lost, pool_file(out, cluster, lost.pool), way)
        for change in changed:
            if _deletes_drivers(change) and not is_named(cluster, "*", allowed):
                yield _mode_fault(cluster, f"{out}/{change.path}")


def _changes_claims(out: str, cluster: str, texts: Texts) -> bool:
    """Whether the DRA driver is installed on the cluster only before the build, or only after it."""
    files = (*listing(f"{out}/{cluster}/controllers"), *listing(f"{out}/{cluster}/sync"))
    new = (path for path in texts if path.startswith(f"{cluster}/"))
    before, after = (any(path.endswith(f"{DRA_DRIVER}.yaml") for path in paths) for paths in (files, new))
    return before != after


def _changed_texts(out: str, cluster: str, texts: Texts) -> Iterator[tuple[str, str, str]]:
    """The path, old text and new text ("" without the file) of each object that changes."""
    releases = tuple(f"helmrelease-{name}.yaml" for name in _CHARTS)
    files = listing(f"{out}/{cluster}/controllers")
    paths = [f"{cluster}/controllers/{file}" for file in files if _software(file) in _DAEMONS or file in releases]
    applications = tuple(f".{name}.yaml" for name in _CHARTS)
    paths += (f"{cluster}/sync/{name}" for name in listing(f"{out}/{cluster}/sync") if name.endswith(applications))
    for path in paths:
        before, after = text_of(f"{out}/{path}"), texts.get(path, "")
        if before and before != after:
            yield path, before, after


def _software(file: str) -> str:
    """The software of a DaemonSet of gitgpu, from the name of its file; "" for another object."""
    name = file.removesuffix(".yaml")
    return daemon_of(name.removeprefix(_DAEMON_SET)) if name.startswith(_DAEMON_SET) else ""


def _losses(build: _Build, changed: Sequence[_Change]) -> Iterator[_Lost]:
    for name, pool in sorted(build.old.pools.items()):
        kept = set(build.new.pools[name].nodes).intersection(pool.nodes) if name in build.new.pools else set[str]()
        for nodes in sorted(kept):
            objects = tuple(_lost(build, changed, nodes))
            if objects:
                yield _Lost(build.cluster, name, nodes, objects)


def _lost(build: _Build, changed: Sequence[_Change], nodes: str) -> Iterator[str]:
    """The objects that leave the running nodes with a label, KEY=VALUE."""
    text = creating_text(build.out, build.cluster, nodes)
    running = PoolNodes(Label(*nodes.split("=", 1)), lambda key: recorded_label(key, text))
    for change in changed:
        if not (_runs_by_label(change.file) or not change.after):
            continue
        if change.path.startswith(f"{build.cluster}/sync/") and not change.after:  # nothing prunes it
            continue
        if _is_operated(build, change, running):
            yield change.title
            continue
        leaves = selects(change.before, running) and not selects(change.after, running)
        if leaves and not any(selects(body, running) for body in build.daemon_sets(change.software)):
            yield change.title


def _is_operated(build: _Build, change: _Change, running: PoolNodes) -> bool:
    """Whether an operator is uninstalled that runs where Node Feature Discovery labels these nodes.

    AMD's operator has a DaemonSet of gitgpu for its driver on all of its nodes.
    """
    maker = {f"helmrelease-{operator.chart}": maker for maker, operator in OPERATORS.items()}.get(change.file)
    if change.after or not maker:
        return False
    folder = f"{build.out}/{build.cluster}/controllers"
    files = [file for file in listing(folder) if _software(file) == AMD_DRIVER]
    is_amd = any(selects(body_of(text_of(f"{folder}/{file}")), running) for file in files)
    if maker == "amd" or is_amd:
        return maker == "amd" and is_amd
    is_labelled = selects(body_of(text_of(f"{folder}/helmrelease-{NODE_FEATURE_DISCOVERY}.yaml")), running)
    return is_labelled and "false" not in (running.values(DEPLOY_OPERANDS_LABEL) or ())


def _runs_by_label(file: str) -> bool:
    """Whether the pods of the object select nodes by their pool. Those of the operators select them by their GPUs."""
    return file.startswith(_DAEMON_SET) or file.endswith(DRA_DRIVER)


def _deletes_drivers(change: _Change) -> bool:
    """Whether the GPU Operator deletes all drivers: between its ClusterPolicy and NVIDIADrivers, or its default goes.

    The exception is a default that leaves pools to other NVIDIADrivers: its releases keep the drivers that run.
    """
    before, after = _mode(change.before), _mode(change.after)
    return (
        change.file.endswith(("-gpu-operator", ".gpu-operator"))
        and bool(change.after)
        and after not in (before, (True, True))
    )


def _mode(body: Mapping[str, Any]) -> tuple[bool, bool]:
    """Whether NVIDIADrivers set the driver, and whether the chart creates one."""
    spec = body.get("spec") or {}
    values = spec.get("values") or ((spec.get("source") or {}).get("helm") or {}).get("valuesObject") or {}
    switches = ((values.get("driver") or {}).get("nvidiaDriverCRD")) or {}
    enabled = bool(switches.get("enabled", False))
    return enabled, enabled and bool(switches.get("deployDefaultCR", True))


def body_of(text: str) -> Mapping[str, Any]:
    """The object in a text of an overlay; {} without one."""
    from gitgpu.load.parse.yaml import parse  # noqa: PLC0415
    from gitgpu.load.text import Text  # noqa: PLC0415

    documents, _ = parse(Text("overlay", text, "overlay"))
    return mapping_at(documents[0].data) if documents else {}


def _fault(lost: _Lost, place: str, way: str) -> Diagnostic:
    objects = ", ".join(lost.objects)
    message = (
        f"pool {lost.pool} of {lost.cluster} gets its driver or device plugin from another source: its running nodes "
        f"({lost.nodes}) lose {objects} at once, and offer no GPUs to new pods"
    )
    option = f"--allow-removal '{lost.cluster}/{lost.pool}' (gitgpu plan shows the effects)"
    return Diagnostic("OUT012", Severity.ERROR, message, way.format(option), Span(place))


def _mode_fault(cluster: str, place: str) -> Diagnostic:
    message = (
        f"driver.nvidiaDriverCRD of the GPU Operator changes on {cluster}: the operator deletes the drivers of all its "
        "nodes at once"
    )
    remedy = (
        "keep the setting that runs with values of the chart (driver.nvidiaDriverCRD), and set driverBranch on new "
        f"clusters only; or build with --allow-removal '{cluster}/*'"
    )
    return Diagnostic("OUT012", Severity.ERROR, message, remedy, Span(place))
