"""What cannot stay as it is: software that runs twice on the same nodes, and a missing device plugin."""

from collections.abc import Iterator, Mapping

from gitgpu.adopt.adoption import Destination, Fate, Outcome
from gitgpu.adopt.stack.view import View
from gitgpu.objects.software.daemons import daemons
from gitgpu.objects.software.duplicates import duplicates, pool_names

_CODES: Mapping[str, tuple[str, str]] = {
    "device-plugin": ("STK001", "a device plugin"),
    "dcgm-exporter": ("STK002", "a DCGM exporter"),
}  # the rules of lint about GPU software that must not run twice on a node


def conflicts(view: View) -> Iterator[Outcome]:
    """Outcomes of software that runs twice, as lint reports it, and of pools that get a device plugin."""
    for part, (code, title) in _CODES.items():
        for first, second, pools in duplicates(view.objects, part):
            where = f"on {pool_names(pools)}" if pools else "possibly on the same nodes"
            reason = f"{code}: {first.title} also runs {title} {where}"
            item, place = second.place
            yield Outcome(view.original(item), Fate.WRONG, reason, place)
    yield from _without_plugin(view)


def _without_plugin(view: View) -> Iterator[Outcome]:
    """An outcome if gitgpu adds a device plugin to pools whose GPUs nothing advertises."""
    linux = [nodes for nodes in view.pools if not nodes.windows]
    # These are NVIDIA's GPUs: AKS does not install a driver for AMD's.
    aks_pools = [nodes for nodes in linux if view.drivers.get(nodes.pool.name) == "aks"]
    if aks_pools and not any(True for _ in daemons(view.objects, "device-plugin", "dra-gpus")):
        names = ", ".join(nodes.pool.name for nodes in aks_pools)
        reason = f"nothing in the input advertises the GPUs of {names}: gitgpu installs NVIDIA's device plugin there"
        into = Destination("Cluster", view.cluster.name, ("spec", "stack", "driver"))
        yield Outcome(view.bare, Fate.INFERRED, reason, (), into)
