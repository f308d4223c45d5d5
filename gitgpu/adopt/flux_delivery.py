"""How Flux delivers the pools of a running cluster: what the fleet's own GitRepository and Kustomizations need of it.

Access to the repository and to the cluster carries over: without it, Flux could not read or apply the overlays.
Settings about content do not, because the fleet has a folder of its own.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gitgpu.access import mapping_at, reach, text_at
from gitgpu.adopt.adoption import Fate, Outcome, SpecDocument
from gitgpu.adopt.node.node_objects import is_of_nodes
from gitgpu.inventory.observed import Observed, ObservedCluster
from gitgpu.model.names.kinds import FLUX_KUSTOMIZATION, GIT_REPOSITORY, group_kind

_ACCESS = ("provider", "proxySecretRef", "serviceAccountName", "timeout", "verify")
_CONTENT = ("ignore", "include", "recurseSubmodules", "sparseCheckout")
_APPLIES = ("kubeConfig", "serviceAccountName")
_OTHER = ("commonMetadata", "decryption", "force", "patches", "postBuild", "suspend", "targetNamespace")
_COMMENT = "Kept: how Flux reads the repository, and how it applies to the cluster."


def git_repository(objects: Iterable[Mapping[str, Any]], url: str) -> Mapping[str, Any]:
    """The spec of the GitRepository with this URL; {} without one."""
    found = (body for body in objects if group_kind(body) == GIT_REPOSITORY and reach(body, "spec", "url") == url)
    return next((mapping_at(body, "spec") for body in found), {})


def revision_of(repository: Mapping[str, Any]) -> str:
    """The branch that a GitRepository follows; "" if it is the default, or if something else decides."""
    ref = mapping_at(repository, "ref")
    branch = str(ref.get("branch") or "")
    return branch if set(ref) == {"branch"} and branch != "main" else ""


def with_flux_settings(
    document: SpecDocument, seen: ObservedCluster, delivering: Iterable[Observed], url: str
) -> SpecDocument:
    """The Cluster with patches of its GitRepository and Kustomizations. `delivering` are objects of all clusters."""
    sources = [*delivering]
    patches = [
        {"target": {"kind": kind}, "patch": {"spec": spec}}
        for kind, spec in (
            (GIT_REPOSITORY.kind, _access(git_repository((each.body for each in sources), url))),
            (FLUX_KUSTOMIZATION.kind, _common(kustomizations_of(seen, sources))),
        )
        if spec
    ]
    if not patches:
        return document
    comments = {**document.comments, ("spec", "patches"): _COMMENT}
    return document._replace(spec={**document.spec, "patches": patches}, comments=comments)


def _access(repository: Mapping[str, Any]) -> dict[str, Any]:
    """What gives access to the repository, and what it follows instead of a branch."""
    spec = {key: repository[key] for key in _ACCESS if repository.get(key) not in (None, "", {}, "generic", "60s")}
    ref = mapping_at(repository, "ref")
    if set(ref) - {"branch"}:
        spec["ref"] = {"branch": None, **ref}
    return spec


def kustomizations_of(seen: ObservedCluster, delivering: Iterable[Observed]) -> list[Observed]:
    """The Kustomizations that apply the pools of a cluster."""
    names = {observed.owner.name for observed in seen.objects if is_of_nodes(observed.body)}
    return [each for each in delivering if group_kind(each.body) == FLUX_KUSTOMIZATION and _name(each) in names]


def _name(observed: Observed) -> str:
    meta = mapping_at(observed.body, "metadata")
    return f"{FLUX_KUSTOMIZATION.kind}/{meta.get('namespace')}/{meta.get('name')}"


def _common(kustomizations: list[Observed]) -> dict[str, Any]:
    """How all of them apply; nothing if they differ."""
    specs = [_nonempty(mapping_at(each.body, "spec"), _APPLIES) for each in kustomizations]
    return specs[0] if specs and all(spec == specs[0] for spec in specs) else {}


def _nonempty(spec: Mapping[str, Any], keys: Iterable[str]) -> dict[str, Any]:
    return {key: spec[key] for key in keys if spec.get(key) not in (None, "", {}, [], False)}


def delivery_outcomes(seen: ObservedCluster, url: str) -> Iterator[Outcome]:
    """Outcomes of the GitRepository of the fleet, and of the Kustomizations that apply the pools."""
    applying = {id(each) for each in kustomizations_of(seen, seen.objects)}
    for observed in seen.objects:
        spec = mapping_at(observed.body, "spec")
        if group_kind(observed.body) == GIT_REPOSITORY and text_at(spec, "url") == url:
            kept, lost = ["secretRef"] if spec.get("secretRef") else [], _nonempty(spec, _CONTENT)
            reason = _reason(GIT_REPOSITORY.kind, [*kept, *_access(spec)], lost)
            yield Outcome(observed, Fate.LEFT, reason)
        elif id(observed) in applying:
            yield Outcome(
                observed, Fate.LEFT, _reason("Kustomizations", _nonempty(spec, _APPLIES), _nonempty(spec, _OTHER))
            )


def _reason(kind: str, kept: Iterable[str], lost: Iterable[str]) -> str:
    same = f" with the same {', '.join(kept)}" if kept else ""
    without = f", without {', '.join(lost)}: add a patch if the overlays need it" if lost else ""
    return f"the fleet has its own {kind}{same}{without}"
