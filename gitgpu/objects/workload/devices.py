"""The resource names of devices: which ones exist, and which one a misspelt name must mean."""

from collections.abc import Collection, Iterator, Mapping
from decimal import Decimal
from typing import Any, TypeAlias

from gitgpu.access import reach
from gitgpu.model.software.names import DRA_DRIVER
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.node_constraints import requested_devices
from gitgpu.objects.workload.pods import Pod
from gitgpu.source import Pointer

Row: TypeAlias = Mapping[str, Any]
_CUTOFF = 0.85  # the least similarity of a misspelt vendor's domain: one wrong letter in the seven of amd.com


def device_rows(objects: Objects) -> Collection[Row]:
    """The catalog's rows on devices."""
    return objects.catalog.rows("devices").values()


def device_row(name: str, objects: Objects) -> Row | None:
    """The devices that have this resource name, whole or in parts; None if the catalog has none."""
    for row in device_rows(objects):
        if name in (*row["resources"], row["shared"]) or (row["parts"] and name.startswith(row["parts"])):
            return row
    return None


def is_gpu_resource(name: str, objects: Objects) -> bool:
    """Whether it is the resource name of whole GPUs, or of parts of GPUs."""
    row = device_row(name, objects)
    return bool(row and row["manufacturer"])


def counts_gpus(name: str, objects: Objects) -> bool:
    """Whether it is the resource name of GPUs, whole or in parts, or the name of a DeviceClass of them."""
    classes = objects.catalog.must("charts", DRA_DRIVER)["deviceClasses"]
    return is_gpu_resource(name, objects) or name in (classes["gpus"], classes["mig"], classes["passthrough"])


def gpu_devices(pod: Pod, objects: Objects) -> dict[str, Decimal]:
    """The whole GPUs that the pod requests, by resource name."""
    gpus: set[str] = set()
    for row in device_rows(objects):
        if row["manufacturer"]:
            gpus.update(row["resources"])
    return {name: amount for name, amount in requested_devices(pod).items() if name in gpus}


def requests_gpus(pod: Pod, objects: Objects) -> bool:
    """Whether the pod requests GPUs, whole, shared or in parts."""
    return any(is_gpu_resource(name, objects) for name in requested_devices(pod))


def named_resources(pod: Pod) -> Iterator[tuple[Pointer, str, Any]]:
    """Every resource that a container names, in limits and requests alike: its place, its name, the amount."""
    for place, container in pod.containers():
        for kind in ("limits", "requests"):
            for name, amount in (reach(container, "resources", kind) or {}).items():
                yield (*place, "resources", kind, name), name, amount


def intended_device(name: str, objects: Objects) -> str:
    """The known device name that this one must be a misspelling of; empty if it is right, or nothing is certain."""
    # The row matches every name that starts like one of its parts, so the rest of the name may be misspelt.
    if device_row(name, objects):
        return _part(name, objects)
    slips = (_slip(name, row) for row in device_rows(objects))
    return next((name for name in slips if name), "") or _part(name, objects)


def parts(objects: Objects) -> dict[str, str]:
    """The resource names of all parts that GPUs of the catalog can be partitioned into, by plain name.

    Plain names have no punctuation, and ignore case.
    """
    prefixes = {row["manufacturer"]: row["parts"] for row in device_rows(objects) if row["parts"]}
    profiles: list[str] = []
    for gpu in objects.catalog.gpus:
        if gpu.manufacturer in prefixes:
            # A resource name cannot contain a plus sign.
            profiles += (f"{prefixes[gpu.manufacturer]}{profile.replace('+', '.')}" for profile in gpu.mig or ())
    return {_plain(name): name for name in profiles}


def _slip(name: str, row: Row) -> str:
    """The device that is meant: by a known mistake, by other case, or by the right device with a misspelt vendor."""
    from difflib import SequenceMatcher  # noqa: PLC0415  only unknown resources need it

    listed: str = row["mistakes"].get(name, "")
    if listed:
        return listed
    domain, _, word = name.lower().partition("/")
    for right in filter(None, (*row["resources"], row["shared"])):
        vendor, _, device = right.partition("/")
        if word == device and SequenceMatcher(None, domain, vendor).ratio() >= _CUTOFF:
            return str(right)
    return ""


def _part(name: str, objects: Objects) -> str:
    names = objects.once_per_run("parts of GPUs", lambda: parts(objects))
    right = names.get(_plain(name), "")
    return "" if right == name else right


def _plain(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())
