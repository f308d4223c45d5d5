"""The CRDs of the user's clusters, from files and directories."""

from collections.abc import Container, Iterable, Mapping
from typing import Any

from gitgpu.diagnostic import Diagnostic, fault
from gitgpu.load.paths import normal_path
from gitgpu.load.read import leads_nowhere, read_paths
from gitgpu.load.text import Text
from gitgpu.model.names.kinds import CUSTOM_RESOURCE_DEFINITION
from gitgpu.objects.loaded import Loaded, ManifestFile
from gitgpu.objects.manifest.manifest_file import manifest_file
from gitgpu.source import Span


def read_crds(paths: Iterable[str]) -> tuple[list[dict[str, Any]], list[Diagnostic]]:
    """The usable CRDs, and faults of the others. Other objects in the same files are ignored."""
    named = tuple(paths)
    texts, faults = read_paths(named)
    files = {normal_path(name) for name in named}
    faults = [fault for fault in faults if fault.span.file in files or not leads_nowhere(fault.span.file)]
    crds: list[dict[str, Any]] = []
    for text in texts:
        read = manifest_file(text, named=text.name in files)
        if _concerns(text, files):
            faults += read.faults
        faults += _waiting(read)
        for loaded in filter(_is_crd, read.objects):
            wrong = _fault(loaded)
            if wrong:
                faults.append(wrong)
            else:
                crds.append(loaded.body)
    if named and not crds and not faults:
        remedy = "export them: kubectl get crds -o yaml > crds.yaml"
        faults.append(fault("CRD002", "contains no CRD", remedy, Span(named[0])))
    return crds, faults


def _concerns(text: Text, named: Container[str]) -> bool:
    """Whether it is a named file, or a file that contains a CRD. Faults of other files do not affect CRDs."""
    return text.name in named or CUSTOM_RESOURCE_DEFINITION.kind in text.content


def _waiting(read: ManifestFile) -> list[Diagnostic]:
    """Placeholders in CRDs. Placeholders in other objects do not matter."""
    return [why for loaded, why in read.waiting if _is_crd(loaded)]


def _is_crd(loaded: Loaded) -> bool:
    return bool(loaded.body["kind"] == CUSTOM_RESOURCE_DEFINITION.kind)


def _fault(loaded: Loaded) -> Diagnostic | None:
    """Why a CRD cannot be used, or None. Its schema is not checked here, because the API server does that."""
    spec = loaded.body.get("spec")
    if is_whole(spec):
        return None
    remedy = "write it as apiextensions.k8s.io/v1 CustomResourceDefinition, with group, names, scope and versions"
    return fault("CRD001", "this CRD cannot be read", remedy, loaded.places.span(("spec",)))


def is_whole(spec: Any) -> bool:
    """Whether the spec of a CRD has all that a contract is made of, in the form of apiextensions.k8s.io/v1."""
    if not isinstance(spec, Mapping):
        return False
    names, versions = spec.get("names"), spec.get("versions")
    kind = names.get("kind") if isinstance(names, Mapping) else None
    if not isinstance(kind, str) or not isinstance(spec.get("group"), str):
        return False
    if spec.get("scope") not in ("Namespaced", "Cluster") or not isinstance(versions, list):
        return False
    return all(isinstance(version, Mapping) and "name" in version for version in versions)
