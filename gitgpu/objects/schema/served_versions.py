"""Which versions of a kind an API server serves: the catalog's rows apis/<group>."""

import re
from collections.abc import Collection, Hashable, Mapping
from typing import Any, NamedTuple

from gitgpu.access import list_at, mapping_at, reach
from gitgpu.model.catalog import Catalog
from gitgpu.model.names.groups import KARPENTER_AZURE_GROUP
from gitgpu.model.names.kinds import AKS_NODE_CLASS
from gitgpu.model.names.prefixes import KARPENTER_PREFIX
from gitgpu.model.syntax.version import numbers_in, version

# The API groups of Karpenter's other providers, whose objects are not for AKS.
_OTHER_CLOUDS = ("karpenter.k8s.aws/", "karpenter.k8s.gcp/", "karpenter.k8s.alibabacloud/")

# A version of Azure Service Operator: that of the Azure API, such as v1api20240402preview, or without 1api as of 2.18.
_DATED = re.compile(r"v(?:1api)?(\d{8})(?:preview)?", re.ASCII)


# A version as Kubernetes names it: v1, v1beta1.
_NAME = re.compile(r"v(\d+)(?:(alpha|beta)(\d+))?", re.ASCII)
_STAGES = ("alpha", "beta", None)


class Served(NamedTuple):
    """What is known about a version of a kind: removed, deprecated or only older, and what to write instead.

    `by` is the release of a controller that no longer has the version, `first` the first one with `use`. `shape` says
    how an object fits if only its apiVersion is changed: "same", "close" (the same, if it matches the other schema) or
    "other". With `off`, API servers do not serve it by default; `late` is the Kubernetes version that first serves
    `use`, if that is later.
    """

    gone: bool
    since: str
    use: str
    deprecated: bool
    by: str
    shape: str
    off: bool
    late: str = ""
    first: str = ""

    def message(self, api_version: str, kind: str) -> str:
        """What is wrong with the version."""
        if self.gone:
            end = f"Kubernetes {self.since}" if self.since else self.by
            when = f" as of {end}" if end else ""
            never = ", and AKS does not enable it before that" if self.off and end else ""
            return f"{api_version} {kind} is not served{when}{never}: the API server rejects it"
        if self.off:
            enabled = "only if the API server enables it with --runtime-config; AKS does not"
            return f"{api_version} {kind} is served {enabled}"
        end = f"Kubernetes {self.since}" if self.since else self.by
        return f"{api_version} {kind} is deprecated" + (f", and {end} no longer serves it" if end else "")

    def on(self, versions: Collection[str]) -> "Served":
        """The same on a cluster that runs one of these versions of the controller.

        It may have removed the version, or may not have the newer one.
        """
        end, first = numbers_in(self.by), numbers_in(self.first)
        if end and versions and all(version(running) >= version(end) for running in versions):
            return self._replace(gone=True)
        if first and versions and all(version(running) < version(first) for running in versions):
            return self._replace(deprecated=False)
        return self._replace(first="") if versions else self

    @property
    def remedy(self) -> str:
        """What to do about it."""
        needed = f"Kubernetes {self.late}" if self.late else self.first
        return f"write it as {self.use}" + (f", and run {needed} or later" if needed else "")


def served_version(catalog: Catalog, kubernetes: str, api_version: str, kind: str) -> Served | None:
    """What to report about a version of a kind on a Kubernetes minor version; None if nothing is known."""
    group, _, name = api_version.rpartition("/")
    row: Any = catalog.facts("apis", group or "core")
    entries = [entry for entry in row["versions"] if kind in entry["kinds"]] if row else []
    for entry in entries:
        if entry["version"] == name:
            return _served(entry, kubernetes)
    newest = max(entries, key=lambda entry: _date(entry["version"]), default=None)
    # A later date is a version that Azure has added since the catalog was written.
    if newest and "" < _date(newest["version"]) < _date(name):
        return _served(newest, kubernetes)
    return None


def is_later(api_version: str, known: str) -> bool:
    """Whether a version of a group came after another one: v1 after v1beta2, and v2alpha1 after v1."""
    later, earlier = _order(api_version), _order(known)
    return later is not None and earlier is not None and later > earlier


def _order(api_version: str) -> tuple[int, int, int] | None:
    match = _NAME.fullmatch(api_version.rpartition("/")[2])
    return (int(match[1]), _STAGES.index(match[2]), int(match[3] or 0)) if match else None


def _date(name: str) -> str:
    """The date in the name of a version, such as 20250801 in v1api20250801; "" if it has none."""
    match = _DATED.fullmatch(name)
    return match[1] if match else ""


def served_version_once(
    memory: dict[Hashable, Any], catalog: Catalog, kubernetes: str, kind: tuple[str, str]
) -> Served | None:
    """The same for an (apiVersion, kind), cached in `memory`, because searching the catalog is slow."""
    key = ("served", kubernetes, *kind)
    if key not in memory:
        memory[key] = served_version(catalog, kubernetes, *kind)
    entry: Served | None = memory[key]
    return entry


def of_another_cloud(body: Mapping[str, Any]) -> bool:
    """Whether a Karpenter object names another cloud's node class or labels. What that Karpenter serves is unknown."""
    if not str(body.get("apiVersion", "")).startswith(KARPENTER_PREFIX):
        return False
    spec = mapping_at(body, "spec")
    node = mapping_at(spec, "template", "spec") or spec
    owner = mapping_at(node.get("nodeClassRef") or node.get("providerRef"))
    written = str(owner.get("group") or owner.get("apiVersion") or "")
    if written or owner.get("kind"):
        return not written.startswith(KARPENTER_AZURE_GROUP) and owner.get("kind") != AKS_NODE_CLASS.kind
    keys = (str(reach(entry, "key")) for entry in list_at(node, "requirements"))
    return any(key.startswith(_OTHER_CLOUDS) for key in keys)


def _served(entry: Any, kubernetes: str) -> Served:
    removed, deprecated = entry["removed"], entry.get("deprecated", "")
    is_removed = removed == "always" or (removed is not None and version(kubernetes) >= version(removed))
    old = "disabled" not in entry and (
        not deprecated or (deprecated != "never" and version(kubernetes) >= version(deprecated))
    )
    since = "" if removed == "always" else (removed or "")
    by, first = entry.get("by", ""), entry.get("from", "")
    return Served(is_removed, since, entry["use"], old, by, entry["shape"], "disabled" in entry, first=first)
