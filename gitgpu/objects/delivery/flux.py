"""What Flux applies: the files in the path of a Kustomization, if its source is the repository being linted."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from posixpath import join, normpath
from typing import Any

from gitgpu.access import reach, rows, text_at
from gitgpu.model.names.groups import FLUX_SOURCE_GROUP
from gitgpu.model.names.kinds import FLUX_KUSTOMIZATION, GIT_REPOSITORY, group_kind
from gitgpu.objects.delivery.applied import ELSEWHERE, Applied
from gitgpu.objects.delivery.artifacts import Copy, Source, artifacts, wanted_paths
from gitgpu.objects.delivery.controller import controller
from gitgpu.objects.delivery.kustomize import By, Included, Kustomization, Part, below, inclusions, renames
from gitgpu.objects.delivery.patches import changes
from gitgpu.objects.delivery.repository import address
from gitgpu.objects.delivery.substitution import Fill, substitute_text
from gitgpu.objects.delivery.tree import Claim, Files, Tree, clean, everything, generated_kinds
from gitgpu.objects.loaded import Loaded

INSTANCE = ("fluxcd.controlplane.io", "FluxInstance")
_MAKER = ("fluxcd.controlplane.io", "ResourceSet")  # makes objects from templates
_GENERATOR = ("source.extensions.fluxcd.io", "ArtifactGenerator")
_OURS = ".fluxcd.io"
_BOOTSTRAP = "flux-system"  # the source that `flux bootstrap` creates, for the repository with the Flux installation
_MENTION = "kind: Kustomization"
KINDS = (FLUX_KUSTOMIZATION, INSTANCE, _MAKER)


@dataclass(frozen=True, slots=True)
class Flux:
    """The Flux objects of a tree: which sources are the repository itself, and which artifacts are generated from it.

    With `patched`, a kustomization patches Flux Kustomizations, so that their substitutions are unknown.
    """

    tree: Tree
    home: frozenset[Source]
    urls: Mapping[Source, frozenset[str]]
    copies: Mapping[str, tuple[Copy, ...]]
    patched: bool
    configs: Mapping[str, Mapping[str, str] | None] = field(default_factory=dict)


def flux(tree: Tree) -> Flux:
    """Read the Flux objects of a tree. Their paths show which directory is the root of the repository."""
    bodies = list(tree.objects())
    copies: dict[str, tuple[Copy, ...]] = {}  # of all clusters: several may have an artifact with this name
    for name, own in artifacts(body.body for body in bodies if group_kind(body.body) == _GENERATOR):
        copies[name] = (*copies.get(name, ()), *own)
    claims: list[tuple[Claim, Source]] = []
    for body in bodies:
        claims += _claims(body, copies)
    tree.claim(claim for claim, _ in claims)
    return Flux(tree, _home(claims, tree), _urls(bodies), copies, _is_patched(tree.kustomizations.values()))


def _urls(bodies: Iterable[Loaded]) -> Mapping[Source, frozenset[str]]:
    """The URLs of each source. Several clusters may have a source with the same name."""
    urls: dict[Source, frozenset[str]] = {}
    for loaded in bodies:
        group_name, kind = group_kind(loaded.body)
        if group_name == FLUX_SOURCE_GROUP:
            source = Source(kind, text_at(loaded.body, "metadata", "name"))
            urls[source] = urls.get(source, frozenset()) | {address(text_at(loaded.body, "spec", "url"))}
    return urls


def is_flux(files: Files) -> bool:
    """Whether one of the objects belongs to Flux."""
    all_objects = chain.from_iterable(files.values())
    return any(group_kind(loaded.body)[0].endswith(_OURS) for loaded in all_objects)


def what_flux_applies(loaded: Loaded, body: dict[str, Any], world: Flux) -> Applied:
    """What a Flux object applies."""
    kind = group_kind(body)
    if kind == _MAKER:
        return Applied(beyond=ELSEWHERE)
    spec = reach(body, "spec", "sync") if kind == INSTANCE else reach(body, "spec")
    if kind == INSTANCE and not spec:  # without `sync`, the Flux Operator only installs Flux
        return Applied()
    folder = _folder(loaded.file, spec, world, sure=kind == INSTANCE)
    cluster = text_at(spec, "kubeConfig", "secretRef", "name") or text_at(spec, "kubeConfig", "configMapRef", "name")
    if folder is None:
        return Applied(beyond=ELSEWHERE, cluster=cluster)
    included = _included(folder, reach(spec, "components"), world.tree)
    by, into = By(controller(body), _fill(spec, world)), text_at(spec, "targetNamespace")
    named = f"{by.name}\n" if renames(spec) else ""
    change = changes(spec)
    # `_replace` would take four times as long.
    parts = tuple(
        Part(file, patch, _filled(into or namespace, by.fill), fallback, by, named + renamed, (*changed, *change))
        for file, patch, namespace, fallback, _, renamed, changed in included.parts
    )
    return Applied(
        parts, (folder, *included.kustomizations), generated_kinds(included.kustomizations, world.tree), cluster
    )


def _filled(namespace: str, fill: Fill | None) -> str:
    """The namespace that a kustomization sets, after substitution; as written if a variable is unknown."""
    if fill is None or "${" not in namespace:  # most
        return namespace
    filled, unknown = substitute_text(namespace, dict(fill.variables), fill.open)
    return namespace if unknown else filled


def _included(folder: str, components: Sequence[Any] | None, tree: Tree) -> Included:
    """The content of a directory, and of the components that a Kustomization adds."""
    whole = everything(folder, tree)
    if not components:
        return whole
    included = Included([*whole.parts], [*whole.kustomizations])
    for component in components:
        part = below(normpath(join(folder, str(component))), tree.kustomizations)
        if part:
            more = inclusions(part, tree.kustomizations)
            included.parts.extend(more.parts)
            included.kustomizations.extend(more.kustomizations)
    return included


def _folder(file: str, spec: Any, world: Flux, *, sure: bool) -> str | None:
    for path, source in wanted_paths(spec, world.copies):
        folder = world.tree.find(file, path) if "${" not in path else None
        if folder is not None and (sure or _is_home(source, world, clean(path))):
            return folder
    return None


def _is_home(source: Source, world: Flux, path: str) -> bool:
    """Whether the source is the repository being linted. If no URL shows it, an existing path does.

    If only the source has a known URL, it is another repository than that of `flux bootstrap`.
    """
    if source in world.home:
        return True
    home_urls: set[str] = set()
    for home in world.home:
        home_urls |= world.urls.get(home, frozenset())
    urls = world.urls.get(source, frozenset())
    if home_urls and urls:
        return not home_urls.isdisjoint(urls)
    is_another = bool(urls) and source.kind == GIT_REPOSITORY.kind and source.name != _BOOTSTRAP
    return path != "" and not is_another


def _fill(spec: Any, world: Flux) -> Fill | None:
    """The variables to substitute. `substitute` overrides ConfigMaps, and a later ConfigMap an earlier one."""
    build = reach(spec, "postBuild")
    substitutes, references = reach(build, "substitute"), rows(build, "substituteFrom")
    if not (substitutes or references or world.patched):
        return None
    variables: dict[str, str] = {}
    unseen = world.patched
    for reference in references:
        config = None
        if text_at(reference, "kind") == "ConfigMap":
            config = world.configs.get(text_at(reference, "name"))
        if config is None:  # its values are unknown, and may override those before it
            variables, unseen = {}, True
        else:
            variables |= config
    if isinstance(substitutes, dict):
        variables |= {str(key): str(value) for key, value in substitutes.items()}
    return Fill(tuple(sorted(variables.items())), unseen)


def _claims(loaded: Loaded, copies: Mapping[str, tuple[Copy, ...]]) -> Iterator[tuple[Claim, Source]]:
    """The paths that an object expects in a source."""
    sync = reach(loaded.body, "spec", "sync")
    if group_kind(loaded.body) == INSTANCE and sync:
        yield Claim(loaded.file, text_at(sync, "path")), Source(GIT_REPOSITORY.kind, _BOOTSTRAP)
    elif group_kind(loaded.body) == FLUX_KUSTOMIZATION:
        spec = reach(loaded.body, "spec")
        for path, source in wanted_paths(spec, copies):
            yield Claim(loaded.file, path), source


def _home(claims: Iterable[tuple[Claim, Source]], tree: Tree) -> frozenset[Source]:
    """The sources that are the repository being linted: the one of `flux bootstrap`, or the one with the most paths."""
    seen: Counter[tuple[bool, Source]] = Counter()
    for claim, source in claims:
        exists = bool(clean(claim.path)) and tree.find(claim.file, claim.path) is not None
        seen[(exists, source)] += 1
    bootstrap = frozenset(source for _, source in seen if source.name == _BOOTSTRAP)
    ranked = sorted((not exists, -count, source) for (exists, source), count in seen.items())
    return bootstrap or frozenset(source for _, _, source in ranked[:1])


def _is_patched(kustomizations: Iterable[Kustomization]) -> bool:
    for kustomization in kustomizations:
        for patch in rows(kustomization.data, "patches"):
            if text_at(patch, "target", "kind") == "Kustomization" or _MENTION in text_at(patch, "patch"):
                return True
    return False
