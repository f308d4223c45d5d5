"""Which file holds which manifest, and the kustomization.yaml that lists them."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Any, TypeAlias

from gitgpu.emit.manifest import Layer, Manifest, Role
from gitgpu.load.generated import BY, INDEX, PATCHED_BY, VALUES_OF, advice
from gitgpu.model.spec.origin import SpecObject
from gitgpu.objects.indexes import exact_key
from gitgpu.write.cluster_record import ClusterRecord, record_lines
from gitgpu.write.file_texts import Parts
from gitgpu.write.render import comment_text, header_text, render
from gitgpu.write.replacements import as_source, metadata_patch, needs_replacements, replacements

_COMMENTS = {"sh": "# ", "bicep": "// ", "kql": "// "}  # a language without comments, such as JSON, gets no header
_SHEBANG = {"sh": "#!/bin/sh\n"}
_NO_RECORDS: Mapping[str, ClusterRecord] = MappingProxyType({})
_BY = f"# {BY}.\n"
_MAX_CACHED = 1000  # texts that are cached at most: each cluster adds some that no other cluster has
_UNSAFE = re.compile(r"[^a-z0-9.-]")  # RBAC names may contain ":", which Windows rejects in a file name

Rendered: TypeAlias = dict[str | bytes, str]


def lay_out(
    manifests: Iterable[Manifest],
    records: Mapping[str, ClusterRecord] = _NO_RECORDS,
    rendered: Rendered | None = None,
) -> dict[str, Parts]:
    """The text of every file below the output directory, by relative POSIX path, sorted.

    `records` become comments in the kustomization.yaml of each cluster. `rendered` caches texts for the next cluster.
    Raises ValueError if two manifests would get the same file.
    """
    folders: defaultdict[str, list[Manifest]] = defaultdict(list)
    for manifest in manifests:
        folders[_folder(manifest)].append(manifest)
    files: dict[str, Parts] = {}
    rendered = {} if rendered is None else rendered
    named = {folder: _named(folder, members) for folder, members in folders.items()}
    for folder, members in named.items():
        files.update((f"{folder}/{name}", _parts(manifest, rendered)) for name, manifest in members.items())
    for folder, body in _indexes(named):
        recorded = record_lines(records[folder]) if folder in records else ()
        lines = header_text("\n".join(recorded))
        text = _rendered(body, rendered)
        files[f"{folder}/{INDEX}"] = Parts(_BY, lines + text if lines else text)
    return dict(sorted(files.items()))


def bind(cluster: str, origin: SpecObject, pages: Mapping[str, str]) -> dict[str, str]:
    """The files of a cluster's runbook. No kustomization.yaml lists them, and an empty page gets no file."""
    paths = {f"{cluster}/runbook/{name}": text for name, text in sorted(pages.items()) if text}
    return {path: _headed(path, text, origin) for path, text in paths.items()}


def _headed(path: str, text: str, origin: SpecObject) -> str:
    language = path.rpartition(".")[2]
    comment = _COMMENTS.get(language)
    comments = (_generated(origin), advice(path))
    header = "".join(f"{comment}{line}\n" for line in comments) if comment else ""
    return f"{_SHEBANG.get(language, '')}{header}{text}"


def _folder(manifest: Manifest) -> str:
    return "/".join(part for part in (manifest.cluster, manifest.layer, manifest.folder) if part)


def _named(folder: str, members: Sequence[Manifest]) -> dict[str, Manifest]:
    """The members by file name. If kind and name are not unique, the namespace and a dot are added to the name."""
    plain = [_name(member) for member in members]
    uses = Counter(plain)
    named: dict[str, Manifest] = {}
    for member, short in zip(members, plain, strict=True):
        name = short if uses[short] == 1 else _name(member, member.ref.namespace)
        if name in named:
            raise ValueError(f"two manifests for {folder}/{name}: {named[name].ref} and {member.ref}")
        named[name] = member
    return named


def _name(manifest: Manifest, namespace: str = "") -> str:
    kind, _, name = manifest.ref
    qualified = f"{namespace}.{name}" if namespace else name
    return _UNSAFE.sub("-", f"{kind}-{qualified}".lower()) + ".yaml"


def _parts(manifest: Manifest, rendered: Rendered) -> Parts:
    header = header_text(_generated(manifest.origin, manifest.rows))
    body = _rendered(as_source(manifest.body, manifest.folder) if _is_copied(manifest) else manifest.body, rendered)
    if manifest.values_of or manifest.patched_by:
        body = header_text("\n".join(_changes(manifest))) + body
    return Parts(rendered.setdefault(header, header), body)


def _changes(manifest: Manifest) -> Iterator[str]:
    """The lines of a header about the user's values and patches. They name documents, as the first line does."""
    for title, authors in ((VALUES_OF, manifest.values_of), (PATCHED_BY, manifest.patched_by)):
        if authors:
            yield comment_text(f"{title} {', '.join(dict.fromkeys(map(_named_in, authors)))}.")


def _rendered(body: Mapping[str, Any], rendered: Rendered) -> str:
    """The text of an object, cached because most objects are the same on several clusters."""
    key = exact_key(body)
    if key not in rendered:
        if len(rendered) >= _MAX_CACHED:
            rendered.clear()
        rendered[key] = render(body)
    return rendered[key]


def _generated(origin: SpecObject, rows: Iterable[str] = ()) -> str:
    """The first line of a header. It names no line number, which would change with every edit above the object.

    Names of files and of catalog directories may contain anything, even newlines.
    """
    return comment_text(f"{BY} from {', '.join((_named_in(origin), *rows))}.")


def _named_in(origin: SpecObject) -> str:
    """The name of a document in the spec, and its file."""
    kind, namespace, name = origin.ref
    whole = f"{kind} {namespace}/{name}" if namespace else f"{kind} {name}"
    return f"{f'{origin.part} of ' if origin.part else ''}{whole} in {origin.span.file}"


def _indexes(named: Mapping[str, Mapping[str, Manifest]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The kustomization.yaml of every folder. It lists neither components nor the layer that people apply."""
    components = {folder for folder, members in named.items() if any(map(_is_patch, members.values()))}
    listed: defaultdict[str, set[str]] = defaultdict(set)
    for folder, members in named.items():
        listed[folder].update(name for name, member in members.items() if member.role is Role.RESOURCE)
        for parent, child in _steps(folder):
            layer = "/" not in parent
            is_listed = not Layer(child).by_hand if layer else folder not in components
            listed[parent].update((child,) if is_listed else ())
    for folder, names in listed.items():
        yield folder, _component(names, named[folder]) if folder in components else _kustomization(names)


def _is_patch(manifest: Manifest) -> bool:
    return manifest.role is Role.PATCH


def _is_copied(manifest: Manifest) -> bool:
    return _is_patch(manifest) and needs_replacements(manifest.body)


def _steps(folder: str) -> Iterator[tuple[str, str]]:
    """Each folder and its child on a path: ("a", "b") and ("a/b", "c") for "a/b/c"."""
    parts = folder.split("/")
    return (("/".join(parts[:depth]), parts[depth]) for depth in range(1, len(parts)))


def _kustomization(names: Iterable[str]) -> dict[str, Any]:
    return {"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization", "resources": sorted(names)}


def _component(names: Iterable[str], members: Mapping[str, Manifest]) -> dict[str, Any]:
    """A folder of patches, which the owner of the patched workloads includes."""
    copied = {name: member for name, member in members.items() if _is_copied(member)}
    merged = {name: member for name, member in members.items() if _is_patch(member) and name not in copied}
    component: dict[str, Any] = {"apiVersion": "kustomize.config.k8s.io/v1alpha1", "kind": "Component"}
    if resources := sorted((*names, *copied)):
        component["resources"] = resources
    patches = [_patch(name, member) for name, member in sorted(merged.items())]
    metadata_patches = (metadata_patch(member.body) for _, member in sorted(copied.items()))
    if patches := [*patches, *({"patch": render(patch)} for patch in metadata_patches if patch)]:
        component["patches"] = patches
    if copied:
        each = (replacements(member.body, member.folder) for _, member in sorted(copied.items()))
        component["replacements"] = list(chain.from_iterable(each))
    return component


def _patch(path: str, manifest: Manifest) -> dict[str, Any]:
    group, _, version = manifest.body["apiVersion"].rpartition("/")
    kind, namespace, name = manifest.ref
    target = {"group": group, "version": version, "kind": kind, "name": name, "namespace": namespace}
    return {"path": path, "target": {key: value for key, value in target.items() if value}}
