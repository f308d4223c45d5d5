"""CRDs of releases that are not next to the project, from those of later releases and `tools/earlier_crds.yaml`."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import yaml

from gitgpu.load.spec.merge_patch import merge_patch

Node: TypeAlias = dict[str, Any]


class EarlierRelease(NamedTuple):
    """The later release (`base`, a folder), and for each CRD the merge patch for its schema."""

    base: str
    patches: Mapping[str, Node]


@cache
def earlier_releases() -> Mapping[str, EarlierRelease]:
    """The releases by folder, as `tools/releases.yaml` names it."""
    listed = yaml.load(Path(__file__).with_suffix(".yaml").read_text("utf-8"), yaml.CSafeLoader)
    return {folder: EarlierRelease(row["base"], row["crds"]) for folder, row in listed.items()}


def earlier_crd(later: Node, version: str, patch: Node) -> Node:
    """The CRD of a release whose schema of this version differs from that of a later one by a merge patch."""
    change = {"schema": {"openAPIV3Schema": patch}}
    versions = [merge_patch(item, change) if item["name"] == version else item for item in later["spec"]["versions"]]
    return {**later, "spec": {**later["spec"], "versions": versions}}
