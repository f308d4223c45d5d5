"""The spec of a pool as a person would write it: without defaults, with its keys in the order of the schema."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from gitgpu.compare.hashes import nanoseconds
from gitgpu.load.spec.shape import fleet_schema
from gitgpu.model.catalog import Facts
from gitgpu.model.syntax.duration import SECONDS

_SECOND = 10**9  # nanoseconds
_DURATIONS = ("consolidateAfter", "expireAfter", "terminationGracePeriod")


def tidy(spec: Mapping[str, Any], driver: str, facts: Facts) -> dict[str, Any]:
    """The spec without defaults. `driver` is the driver of the cluster, `facts` the catalog row `edits/nodepool`."""
    tidied = dict(spec)
    defaults = pool_defaults()
    for key in ("os", "capacity", "taints", "operatorOptOut"):
        if tidied.get(key) == defaults[key]:
            del tidied[key]
    if tidied.get("driver") == driver:
        del tidied["driver"]
    if "disruption" in tidied:
        tidied["disruption"] = dict(_disruption(tidied["disruption"], facts))
        if not tidied["disruption"]:
            del tidied["disruption"]
    return in_order(tidied)


def in_order(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The keys in the order in which the schema lists them."""
    ordered = {key: spec[key] for key in _properties("gpupool") if key in spec}
    return {**ordered, **spec}


def plain_duration(text: str) -> str:
    """A duration in whole hours, minutes and seconds; other texts as they are."""
    try:
        seconds, part = divmod(nanoseconds(text), _SECOND)
    except ValueError:
        return text
    if part or not seconds:
        return text if part else "0s"
    plain = ""
    for unit, length in SECONDS.items():
        count, seconds = divmod(seconds, length)
        plain += f"{count}{unit}" if count else ""
    return plain


def _disruption(written: Mapping[str, Any], facts: Facts) -> Iterator[tuple[str, Any]]:
    """The settings that differ from gitgpu's default, or from Karpenter's if gitgpu has none."""
    karpenter = {default["field"].rpartition(".")[2]: default["value"] for default in facts["defaults"]}
    for key, part in _definition("disruption").items():
        if key in written:
            value = plain_duration(written[key]) if key in _DURATIONS else written[key]
            default = part.get("default", karpenter.get(key))
            if value != (plain_duration(default) if key in _DURATIONS and default else default):
                yield key, value


@cache
def pool_defaults() -> Mapping[str, Any]:
    """The defaults of a GpuPool in the schema, by key."""
    properties = _properties("gpupool")
    return {key: part["default"] for key, part in properties.items() if "default" in part}


def _properties(kind: str) -> Mapping[str, Any]:
    properties: Mapping[str, Any] = _definition(kind)["spec"]["properties"]
    return properties


def _definition(name: str) -> Mapping[str, Any]:
    properties: Mapping[str, Any] = fleet_schema()["definitions"][name]["properties"]
    return properties
