"""What is kept of a ConfigMap: only configurations of the device plugin and layouts of the MIG manager."""

from collections.abc import Mapping
from json import dumps
from typing import Any

from gitgpu.access import mapping_at
from gitgpu.load.parse.quick import mapping_in
from gitgpu.objects.software.mig_layouts import LAYOUTS
from gitgpu.objects.software.plugin_configs import SIGNS, is_config, with_known_case

_KEPT = ("version", "flags", "sharing")
_FLAGS = ("migStrategy",)


def kept_config(body: Mapping[str, Any]) -> dict[str, Any] | None:
    """The part that a diagnosis reads of a ConfigMap; None if nothing in it is a configuration of GPU software.

    The other texts are emptied, and their keys are kept: a key is the name of a configuration.
    """
    data = mapping_at(body, "data")
    texts = {key: _part(text) for key, text in data.items() if isinstance(text, str)}
    return {"apiVersion": "v1", "kind": body["kind"], "data": texts} if any(texts.values()) else None


def _part(text: str) -> str:
    """The part of a text that is a configuration, as JSON; "" if it is something else."""
    if LAYOUTS in text:
        groups = mapping_at(mapping_in(text), LAYOUTS)
        return dumps({LAYOUTS: {str(name): _devices(entries) for name, entries in groups.items()}}) if groups else ""
    if not any(word in text.lower() for word in SIGNS):
        return ""
    config = with_known_case(mapping_in(text))
    if not is_config(config):
        return ""
    kept = {key: config[key] for key in _KEPT if key in config}
    if "flags" in kept:
        kept["flags"] = {key: value for key, value in mapping_at(kept["flags"]).items() if key in _FLAGS}
    return dumps(kept, default=str)


def _devices(entries: Any) -> list[dict[str, Any]]:
    rows = entries if isinstance(entries, list) else []
    return [{"mig-devices": mapping_at(row, "mig-devices")} for row in rows if isinstance(row, dict)]
