"""What Flux applies: the files behind the path of a Kustomization, when its source is the repository at hand."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from posixpath import join, normpath
from typing import Any, NamedTuple

from gitgpu.load.applied import ELSEWHERE, Applied, family, inner, rows, words
from gitgpu.load.kustomize import By, Kustomization, Taken, below, group
from gitgpu.load.objects import Loaded
from gitgpu.load.substitute import Fill
from gitgpu.load.tree import Claim, Files, Tree, clean, everything, generated

KUSTOMIZATION = ("kustomize.toolkit.fluxcd.io", "Kustomization")
INSTANCE = ("fluxcd.controlplane.io", "FluxInstance")
_MAKER = ("fluxcd.controlplane.io", "ResourceSet")  # makes objects from templates
_GENERATOR = ("source.extensions.fluxcd.io", "ArtifactGenerator")
_SOURCES = "source.toolkit.fluxcd.io"
_OURS = ".fluxcd.io"
_BOOTSTRAP = "flux-system"  # the source that installing Flux makes, of the repository that it is installed from
_MENTION = "kind: Kustomization"
KINDS = (KUSTOMIZATION, INSTANCE, _MAKER)


class Source(NamedTuple):
    """What a sourceRef names; references without a namespace mean the one that the object is in."""

    kind: str
    name: str


class Copy(NamedTuple):
    """What an ArtifactGenerator puts where in its artifact."""

    source: Source
    start: str
    to: str


@dataclass(frozen=True, slots=True)
class Flux:
    """What the objects of a tree say of Flux: which sources are the repository itself, which artifacts are cut of it.

    With `patched` something patches Flux Kustomizations on the way, so that what they substitute cannot be told.
    """

    tree: Tree
    home: frozenset[Source]
    urls: Mapping[Source, frozenset[str]]
    copies: Mapping[str, tuple[Copy, ...]]
    patched: bool = False
    configs: Mapping[str, Mapping[str, str] | None] = field(default_factory=dict)


def flux(tree: Tree) -> Flux:
    """Learn about the Flux objects of a tree. Their paths say which directory is its root."""
    bodies = [one for objects in tree.files.values() for one in objects]
    tree.claim(_claims(bodies))
    urls: dict[Source, set[str]] = {}
    for one in bodies:
        if family(one.body)[0] == _SOURCES:
            source = Source(str(one.body["kind"]), words(one.body, "metadata", "name"))
            urls.setdefault(source, set()).add(address(words(one.body, "spec", "url")))
    known = {source: frozenset(found) for source, found in urls.items()}
    copies = dict(_artifacts(one.body for one in bodies if family(one.body) == _GENERATOR))
    return Flux(tree, _home(bodies, tree), known, copies, _is_patched(bodies, tree.known.values()))


def is_flux(files: Files) -> bool:
    """Does one of the objects belong to Flux?"""
    return any(family(one.body)[0].endswith(_OURS) for objects in files.values() for one in objects)


def address(url: str) -> str:
    """A repository's address without what may be written in two ways."""
    rest = url.partition("://")[2] or url.replace(":", "/", 1)
    return rest.rpartition("@")[2].removesuffix(".git").strip("/").lower()


def kustomized(one: Loaded, body: dict[str, Any], world: Flux) -> Applied:
    """What a Flux object applies."""
    kind = family(body)
    if kind == _MAKER:
        return Applied(beyond=ELSEWHERE)
    spec = inner(body, "spec", "sync") if kind == INSTANCE else inner(body, "spec")
    folder = _folder(one.file, spec, world, sure=kind == INSTANCE)
    cluster = words(spec, "kubeConfig", "secretRef", "name") or words(spec, "kubeConfig", "configMapRef", "name")
    if folder is None:
        return Applied(beyond=ELSEWHERE, cluster=cluster)
    taken = everything(folder, world.tree)
    for component in inner(spec, "components") or ():
        part = below(normpath(join(folder, str(component))), world.tree.known)
        more = group(part, world.tree.known) if part else Taken([], [])
        taken = Taken([*taken.parts, *more.parts], [*taken.kustomizations, *more.kustomizations])
    by = By(controller(body), _fill(spec, world))
    into = words(spec, "targetNamespace")
    parts = (part._replace(by=by, namespace=into or part.namespace) for part in taken.parts)
    return Applied(tuple(parts), (folder, *taken.kustomizations), generated(taken, world.tree), cluster)


def controller(body: Mapping[str, Any]) -> str:
    """What a thing that applies others is known by: its kind, namespace and name, as they are written."""
    return f"{body.get('kind')}/{words(body, 'metadata', 'namespace')}/{words(body, 'metadata', 'name')}"


def _folder(file: str, spec: Any, world: Flux, *, sure: bool) -> str | None:
    path = words(spec, "path")
    reference = inner(spec, "sourceRef")
    source = Source(words(reference, "kind"), words(reference, "name"))
    if "${" in path:
        return None
    for copy in world.copies.get(source.name, ()) if source.kind == "ExternalArtifact" else ():
        rest = _within(clean(path), copy.to)
        found = None if rest is None else world.tree.find(file, join(copy.start, rest))
        if found is not None and _is_home(copy.source, world):
            return found
    return world.tree.find(file, path) if sure or _is_home(source, world, clean(path)) else None


def _is_home(source: Source, world: Flux, path: str = "") -> bool:
    """Is the source the repository at hand? Where addresses cannot tell, a path that is there does."""
    own = frozenset(url for one in world.home for url in world.urls.get(one, ()))
    mine = world.urls.get(source, frozenset())
    return source in world.home or bool(own & mine) or bool(path and not (own and mine))


def _fill(spec: Any, world: Flux) -> Fill | None:
    """What is substituted. `substitute` goes before what ConfigMaps say, a later one of these before an earlier."""
    build = inner(spec, "postBuild")
    own, references = inner(build, "substitute"), rows(build, "substituteFrom")
    if not (own or references or world.patched):
        return None
    known: dict[str, str] = {}
    unseen = world.patched
    for one in references:
        found = world.configs.get(words(one, "name")) if words(one, "kind") == "ConfigMap" else None
        unseen |= found is None
        known = {} if found is None else known | dict(found)  # what comes later may say it anew
    known |= {str(key): str(value) for key, value in own.items()} if isinstance(own, dict) else {}
    return Fill(tuple(sorted(known.items())), unseen)


def _claims(bodies: Iterable[Loaded]) -> Iterator[Claim]:
    for one in bodies:
        if family(one.body) == KUSTOMIZATION:
            yield Claim(one.file, words(one.body, "spec", "path"))
        elif family(one.body) == INSTANCE:
            yield Claim(one.file, words(one.body, "spec", "sync", "path"))


def _home(bodies: Iterable[Loaded], tree: Tree) -> frozenset[Source]:
    """The sources that are the repository at hand: those of Flux's own, else the one whose paths are there most."""
    seen: Counter[Source] = Counter()
    for one in bodies:
        path = words(one.body, "spec", "path")
        source = Source(words(one.body, "spec", "sourceRef", "kind"), words(one.body, "spec", "sourceRef", "name"))
        if family(one.body) == KUSTOMIZATION:
            seen[source] += 1 + 1000 * (bool(clean(path)) and tree.find(one.file, path) is not None)
    bootstrap = frozenset(source for source in seen if source.name == _BOOTSTRAP)
    best = sorted(seen, key=lambda source: (-seen[source], source))[:1]
    return bootstrap or frozenset(best)


def _artifacts(bodies: Iterable[dict[str, Any]]) -> Iterator[tuple[str, tuple[Copy, ...]]]:
    for body in bodies:
        sources = {words(one, "alias"): one for one in rows(body, "spec", "sources")}
        for artifact in rows(body, "spec", "artifacts"):
            yield words(artifact, "name"), tuple(_copies(artifact, sources))


def _copies(artifact: dict[str, Any], sources: Mapping[str, dict[str, Any]]) -> Iterator[Copy]:
    for one in rows(artifact, "copy"):
        alias, _, start = words(one, "from").removeprefix("@").partition("/")
        source = sources.get(alias, {})
        to = words(one, "to").removeprefix("@artifact")
        yield Copy(Source(words(source, "kind"), words(source, "name")), clean(start.removesuffix("**")), clean(to))


def _within(path: str, folder: str) -> str | None:
    """The rest of a path below a directory; None when it is not in it."""
    if not folder or path == folder:
        return path if not folder else ""
    return path.removeprefix(f"{folder}/") if path.startswith(f"{folder}/") else None


def _is_patched(bodies: Iterable[Loaded], known: Iterable[Kustomization]) -> bool:
    specs = [inner(one.body, "spec") for one in bodies if family(one.body) == KUSTOMIZATION]
    patches = [patch for said in (*specs, *(one.data for one in known)) for patch in rows(said, "patches")]
    return any(words(one, "target", "kind") == "Kustomization" or _MENTION in words(one, "patch") for one in patches)
