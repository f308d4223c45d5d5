"""Repositories as controllers apply them: what each entry point applies, and to which cluster.

A file in `recorded/` is a repository: the documents of each file, by path.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from syrupy.assertion import SnapshotAssertion

from gitgpu.access import text_at
from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text
from gitgpu.objects.delivery.delivered import deliver
from gitgpu.objects.delivery.graph import Reach, World, delivers, direct, reach_of, units_of, world_of
from gitgpu.objects.delivery.kustomization_names import is_kustomization
from gitgpu.objects.delivery.kustomize import Kustomization, Part, kustomization
from gitgpu.objects.delivery.partial_files import incomplete
from gitgpu.objects.delivery.patch_files import with_patch_files
from gitgpu.objects.delivery.release_values import application_values, applications, chart_releases
from gitgpu.objects.delivery.rewriting import rewriting
from gitgpu.objects.delivery.substitution import unseal
from gitgpu.objects.delivery.tree import Tree, tree_of
from gitgpu.objects.loaded import ManifestFile
from gitgpu.objects.manifest.manifest_file import manifest_file
from gitgpu.objects.manifest.manifests import Manifests, settle_waiting
from tests.helping.cases import for_each
from tests.helping.single_changes import decided

RECORDED = sorted(Path(__file__).with_name("recorded").glob("*.yaml"))
ENTRIES = ("gotk-sync.yaml", "apps.yaml", "sets.yaml")
TRIED = ("absent", "true", "false")
Repository = Mapping[str, Any]


def repository(path: Path) -> Repository:
    """The documents of each file."""
    recorded: Repository = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
    return recorded


def manifests(given: Repository) -> Manifests:
    """The files as lint reads them."""
    contents = {file: "\n---\n".join(map(json.dumps, documents)) for file, documents in given.items()}
    texts = {file: Text(file, content, file) for file, content in contents.items()}
    known = {file: kustomized(text) for file, text in texts.items() if is_kustomization(file)}
    whole = {file: content for file, content in known.items() if content}
    files = {file: objects(text) for file, text in texts.items() if file not in whole}
    return settle_waiting(Manifests(texts, files, with_patch_files(whole, texts), ()))


@cache
def kustomized(text: Text) -> Kustomization | None:
    """The kustomization of a file."""
    documents, _ = parse(text)
    data = documents[0].data if len(documents) == 1 else None
    return kustomization(text.name, data, documents[0].places) if isinstance(data, dict) else None


@cache
def objects(text: Text) -> ManifestFile:
    """The objects of a file."""
    return manifest_file(text)


def tree_of_manifests(read: Manifests) -> Tree:
    """The files that are read, as one tree."""
    return tree_of({file: sheet.objects for file, sheet in read.files.items()}, read.kustomizations, read.texts)


def shown(given: Repository) -> Iterator[str]:
    """A repository as lines."""
    read = manifests({file: items for file, items in given.items() if isinstance(items, list)})
    whole = tree_of_manifests(read)
    here = world_of(whole)
    every = units_of(whole)
    named = {name for unit in every for name in direct(unit, here)}
    for unit in every:
        yield f"unit {unit.name}: {[part.file for part in unit.parts]} {unit.kustomizations} {sorted(unit.beyond)}"
        if delivers(unit, whole):
            yield f"  directly {sorted(direct(unit, here))}"
        if unit.name.endswith(ENTRIES) or (unit.kustomizations and unit.name not in named):
            yield from reached(reach_of(unit, here), here)
    unlisted, completed, _ = incomplete(read.kustomizations, read.files)
    yield f"unlisted {sorted(unlisted)}, completed {sorted(completed)}"
    yield f"rewriting {[(root.file, key) for root, key in rewriting(read.kustomizations)]}"
    every_file = [*read.files, *read.kustomizations]
    for values in (*chart_releases(every_file, whole), *application_values(applications(every_file, whole), here.argo)):
        yield f"values {values.body} in {values.text.name}"


def reached(result: Reach, here: World) -> Iterator[str]:
    """Everything that an entry point applies."""
    yield f"  folders {sorted(result.folders)}"
    yield f"  charts {[(cluster, name) for cluster, names in result.charts.items() for name in names]}"
    for cluster, kinds in result.beyond.items():
        for kind, source in kinds.items():
            yield f"  beyond on {cluster!r}: {kind} by {text_at(source and source.body, 'metadata', 'name')}"
    for cluster, parts in result.parts.items():
        for part in parts:
            yield from applied(cluster, part, here)


def applied(cluster: str, part: Part, here: World) -> Iterator[str]:
    """A file as it is applied to a cluster."""
    by = f" by {part.by.name} {part.by.fill}" if part.by else ""
    patch = " as a patch" if part.patch else ""
    yield f"  {part.file} on {cluster!r} in {part.namespace!r} or {part.fallback!r}{patch}{by} {part.renamed.split()}"
    for loaded in here.tree.files.get(part.file, ()):
        made = deliver(loaded.body, part)
        if made is None:
            yield "    deleted"
        elif (open_ := unseal(made)).body != loaded.body or open_.holes:
            holes = ["/".join(map(str, hole)) for hole in sorted(open_.holes, key=str)]
            yield f"    {json.dumps(open_.body)} holes {holes} typed {open_.typed}"


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_a_repository(path: Path, snapshot: SnapshotAssertion) -> None:
    assert "\n".join(shown(repository(path))) == snapshot


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_the_effect_of_each_value(path: Path, snapshot: SnapshotAssertion) -> None:
    def lines(given: Any) -> Iterable[str]:
        return shown(given)

    assert "\n".join(decided(repository(path), lines, TRIED)) == snapshot


def test_a_flux_instance_without_sync_only_installs_flux() -> None:
    instance = {"apiVersion": "fluxcd.controlplane.io/v1", "kind": "FluxInstance", "metadata": {"name": "flux"}}
    files: Repository = {
        "flux/instance.yaml": [{**instance, "spec": {"distribution": {"version": "2.x"}}}],
        "a/web.yaml": [{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}}],
    }
    assert "  directly []" in shown(files)


def source(name: str) -> dict[str, Any]:
    """A Flux repository with its own URL."""
    spec = {"url": f"https://github.com/contoso/{name}"}
    return {
        "apiVersion": "source.toolkit.fluxcd.io/v1",
        "kind": "GitRepository",
        "metadata": {"name": name},
        "spec": spec,
    }


def kustomization_of(name: str, path: str) -> dict[str, Any]:
    """A Flux Kustomization that applies a path in a repository."""
    spec = {"path": path, "sourceRef": {"kind": "GitRepository", "name": name}}
    metadata = {"name": f"{name}-{path}"}
    return {"apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization", "metadata": metadata, "spec": spec}


@pytest.mark.parametrize(
    ("first", "home"),
    [("theirs", "ours"), ("flux-system", "flux-system")],  # `flux bootstrap` creates flux-system for the repository
)
def test_the_repository_itself_is_the_source_of_bootstrap_or_the_one_with_most_of_the_paths(
    first: str, home: str
) -> None:
    web = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}}
    files: Repository = {
        "flux/first.yaml": [source(first), kustomization_of(first, "a")],
        "flux/ours.yaml": [source("ours"), kustomization_of("ours", "a"), kustomization_of("ours", "b")],
        "a/web.yaml": [web],
        "b/web.yaml": [web],
    }
    whole = tree_of_manifests(manifests(files))
    applied = {unit.name: sorted(direct(unit, world_of(whole))) for unit in units_of(whole)}
    assert applied["flux/ours.yaml"] == (["a", "a/web.yaml", "b", "b/web.yaml"] if home == "ours" else [])
    assert applied["flux/first.yaml"] == (["a", "a/web.yaml"] if home == first else [])


CONFIG = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "cluster"}, "data": {"SIZE": "a"}}
OTHER_CONFIG = {**CONFIG, "data": {"SIZE": "b"}}


@for_each(
    ("files", "variables"),
    [
        ({"vars/a.yaml": [CONFIG]}, {"SIZE": "a"}),
        ({"vars/a.yaml": [CONFIG], "vars/b.yaml": [CONFIG]}, {"SIZE": "a"}),
        ({"vars/a.yaml": [CONFIG], "vars/b.yaml": [OTHER_CONFIG]}, None),
        ({"vars/a.yaml": [{**CONFIG, "data": None}]}, {}),
        ({"vars/a.yaml": [{**CONFIG, "kind": "Secret"}]}, None),
        (
            {
                "vars/kustomization.yaml": [{"resources": ["a.yaml"], "patches": [{"path": "b.yaml"}]}],
                "vars/a.yaml": [CONFIG],
                "vars/b.yaml": [CONFIG],
            },
            None,
        ),
    ],
)
def test_the_variables_of_a_config_map_are_known_if_it_is_defined_once(
    files: Repository, variables: dict[str, str] | None
) -> None:
    apps = kustomization_of("flux-system", "apps")
    apps["spec"]["postBuild"] = {"substituteFrom": [{"kind": "ConfigMap", "name": "cluster"}]}
    web = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}}
    flux = [source("flux-system"), kustomization_of("flux-system", "vars"), apps]
    whole = tree_of_manifests(manifests({"flux/all.yaml": flux, "apps/web.yaml": [web], **files}))
    (unit,) = (unit for unit in units_of(whole) if unit.name == "flux/all.yaml")
    (part,) = (part for part in reach_of(unit, world_of(whole)).parts[""] if part.file == "apps/web.yaml")
    assert part.by
    assert part.by.fill
    assert (dict(part.by.fill.variables), part.by.fill.open) == (variables or {}, variables is None)


def application_set(*directories: dict[str, Any]) -> dict[str, Any]:
    """An ApplicationSet that makes an Application for each directory."""
    url = "https://github.com/contoso/fleet"
    template = {
        "metadata": {"name": "{{path.basename}}"},
        "spec": {"source": {"repoURL": url, "path": "{{path}}"}, "destination": {"name": "here"}},
    }
    generator = {"git": {"repoURL": url, "directories": [*directories]}}
    spec = {"generators": [generator], "template": template}
    return {"apiVersion": "argoproj.io/v1alpha1", "kind": "ApplicationSet", "metadata": {"name": "all"}, "spec": spec}


@for_each(
    ("patterns", "folders"),
    [
        (["apps/*"], ["apps/web"]),
        (["apps/**"], ["apps/team/api", "apps/web"]),
        (["apps/**/api"], ["apps/team/api"]),
        (["apps/*/a*"], ["apps/team/api"]),
        (["apps/w?b"], ["apps/web"]),
        (["apps/other"], []),
    ],
)
def test_the_directories_that_a_pattern_of_an_application_set_matches(patterns: list[str], folders: list[str]) -> None:
    web = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}}
    files: Repository = {
        "root/sets.yaml": [application_set(*({"path": pattern} for pattern in patterns))],
        "apps/web/web.yaml": [web],
        "apps/team/api/api.yaml": [web],
    }
    whole = tree_of_manifests(manifests(files))
    (unit,) = (unit for unit in units_of(whole) if unit.name == "root/sets.yaml")
    applied = direct(unit, world_of(whole))
    assert sorted(applied & {"apps/web", "apps/team/api"}) == folders
