"""Existing overlays: the texts of their manifests, by path below their directory."""

import os

from gitgpu.diagnostic import Diagnostic
from gitgpu.load.generated import HEAD, INDEX, claimed_paths
from gitgpu.load.read import exists, listing, read_bytes, read_text
from gitgpu.load.text import Text
from gitgpu.load.walk import SUFFIXES, walk

RUNBOOK = "runbook"  # the folder of a cluster with texts to read, with any suffix
_LAYERS = frozenset({"sync", "controllers", "nodes", "monitoring", "workloads"})


def is_overlay(path: str) -> bool:
    """Whether a file below the output directory is a manifest of a cluster, or a text of its runbook."""
    parts = path.split("/")
    return len(parts) > 1 and (path.endswith(SUFFIXES) or parts[1:2] == [RUNBOOK])


def read_overlays(root: str) -> tuple[dict[str, str], list[Diagnostic]]:
    """Every manifest and text below a directory, and faults; empty if the directory does not exist."""
    faults: list[Diagnostic] = []
    texts: dict[str, str] = {}
    for path in walk(root, faults) if exists(root) else ():
        if is_overlay(path):
            result = read_text(os.path.join(root, path))
            if isinstance(result, Text):
                texts[path] = result.content
            else:
                faults.append(result)
    return texts, faults


def is_built(directory: str) -> bool:
    """Whether a build has written this directory. If so, the kustomization.yaml in a cluster's folder is generated."""
    for name in listing(directory):
        head = read_bytes(os.path.join(directory, name, INDEX))[:HEAD]
        if f"{name}/{INDEX}" in claimed_paths(head):
            return True
    return False


def overlays_in(directory: str, out: str) -> str | None:
    """The directory with the overlays: a directory itself, or its output directory; None if neither has any."""
    below = os.path.join(directory, out)
    if is_built(directory):
        return directory
    if not os.path.isabs(out) and is_built(below):
        return below
    for name in listing(directory):
        if not _LAYERS.isdisjoint(listing(os.path.join(directory, name))):
            return directory
    return None
