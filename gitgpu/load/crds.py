"""The CRDs of somebody's clusters, from files and directories."""

from collections.abc import Iterable, Mapping
from typing import Any

from gitgpu.diagnostic import Diagnostic
from gitgpu.load.objects import Loaded, sheet
from gitgpu.load.read import read_paths
from gitgpu.load.text import fault
from gitgpu.source import Span

KIND = "CustomResourceDefinition"


def read_crds(paths: Iterable[str]) -> tuple[list[dict[str, Any]], list[Diagnostic]]:
    """The CRDs that can be used, and what is wrong with the rest; other objects beside them are passed over."""
    named = tuple(paths)
    texts, faults = read_paths(named)
    found: list[dict[str, Any]] = []
    for text in texts:
        read = sheet(text)
        faults += [*read.faults, *(why for _, why in read.waiting)]
        for one in read.objects:
            if one.body["kind"] == KIND:
                wrong = _fault(one)
                faults += [wrong] if wrong else []
                found += [] if wrong else [one.body]
    if named and not found and not faults:
        remedy = "export them: kubectl get crds -o yaml > crds.yaml"
        faults.append(fault("CRD002", "no CRD is in there", remedy, Span(named[0], 0, 0)))
    return found, faults


def _fault(one: Loaded) -> Diagnostic | None:
    """Why a CRD cannot be used; its own schema is the API server's business."""
    spec = one.body.get("spec")
    if isinstance(spec, Mapping) and _is_whole(spec):
        return None
    remedy = f"write it as apiextensions.k8s.io/v1 {KIND}, with group, names, scope and versions"
    return fault("CRD001", "this CRD cannot be read", remedy, one.places.span(("spec",)))


def _is_whole(spec: Mapping[str, Any]) -> bool:
    names, versions = spec.get("names"), spec.get("versions")
    texts = (spec.get("group"), names.get("kind") if isinstance(names, Mapping) else None)
    whole = all(isinstance(text, str) for text in texts) and spec.get("scope") in ("Namespaced", "Cluster")
    return whole and isinstance(versions, list) and all(isinstance(one, Mapping) and "name" in one for one in versions)
