"""What Helm prints about releases as JSON or YAML: `helm list`, `helm status` and `helm get metadata`.

The formats: releaseElement of cmd/helm/list.go (name, namespace, revision, chart NAME-VERSION, app_version), the
release of pkg/release/release.go (name, namespace, chart.metadata, config with the values) and Metadata of
pkg/action/get_metadata.go (name, chart, version, namespace), all in helm/helm. `helm get values` prints only the
values, without their chart: pass these with `--values CHART=FILE`.
"""

import re
from collections.abc import Iterator
from typing import Any

from gitgpu.access import mapping_at, reach, text_at
from gitgpu.diagnostic import Places
from gitgpu.inventory.combined import together
from gitgpu.inventory.names_of_azure import Moved
from gitgpu.inventory.observed import Azure, Inventory, Observed, ObservedCluster, Owner, Skipped
from gitgpu.inventory.secrets import secret_places, without_secrets
from gitgpu.inventory.source import Source
from gitgpu.load.helm_values import values_object
from gitgpu.source import Pointer

NAME = "helm"
# `helm list` prints name and version as one word, and the name may contain dashes and digits.
_CHART = re.compile(r"(.+?)-(v?\d+\.\d+\.\d+\S*)")


def recognises(data: Any) -> bool:
    """Whether it is a release, or a list of releases."""
    entries = data if isinstance(data, list) else [data]
    return bool(entries) and all(_is_release(entry) for entry in entries)


def reads(data: Any, places: Places) -> Inventory:
    """The releases, with their values if these are printed."""
    if isinstance(data, list):
        return together(_releases([((index,), entry) for index, entry in enumerate(data)], places))
    return together(_releases([((), data)], places))


def _is_release(entry: Any) -> bool:
    if not text_at(entry, "name") or "namespace" not in entry or "apiVersion" in entry:
        return False
    listed = bool(text_at(entry, "chart")) and ("app_version" in entry or "appVersion" in entry)
    return listed or (isinstance(reach(entry, "info"), dict) and ("version" in entry or "chart" in entry))


def _releases(entries: list[tuple[Pointer, Any]], places: Places) -> Iterator[Inventory]:
    for pointer, entry in entries:
        name, namespace = text_at(entry, "name"), text_at(entry, "namespace")
        chart, version = _chart(entry)
        label = f"Helm release {namespace}/{name}"
        if not chart:
            reason = "Helm does not print its chart: pass the output of `helm list -A -o json` as well"
            yield Inventory((), (Skipped(label, places.span(pointer), reason),))
            continue
        values = mapping_at(entry, "config")
        moved = Moved(places, {(): pointer, ("values",): (*pointer, "config")})
        kept, skipped = without_secrets(values, label, moved, ("values",))
        release = {"release": name, "namespace": namespace, "version": version, "whole": "config" in entry}
        body = values_object(chart, kept) | release
        observed = Observed(body, moved, label, NAME, Owner("helm", f"{namespace}/{name}"), live=True)
        observed = observed._replace(hidden=tuple(secret_places(values, ("values",))))
        yield Inventory((ObservedCluster("", Azure(), (observed,)),), skipped)


def _chart(entry: Any) -> tuple[str, str]:
    """The chart of a release and its version, which `helm list` writes as NAME-VERSION."""
    metadata = reach(entry, "chart", "metadata")
    if metadata:
        return text_at(metadata, "name"), text_at(metadata, "version")
    version = text_at(entry, "version")
    match = _CHART.fullmatch(text_at(entry, "chart"))
    return (match[1], match[2]) if match and not version else (text_at(entry, "chart"), version)


SOURCE = Source(NAME, recognises, reads)
