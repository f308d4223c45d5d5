"""The contract schemas, derived from upstream CRDs: `python -m tools.contracts --update` writes them.

A contract keeps names, types, bounds, enums and patterns. It omits descriptions, defaults, `status`, formats that
nothing enforces, and CEL except rules that a field is required. It also refuses unknown fields, as the API server does
under strict field validation, and what `tools/enforced.yaml` lists. Equal parts are written once, under `definitions`.
The contract of a kind of a project in `tools/releases.yaml` says what each release has; `_releases.json` lists these
releases.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from functools import cache
from itertools import starmap
from pathlib import Path
from typing import Any, TypeAlias

from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text
from gitgpu.load.validate.releases import BY_RELEASE, CHANGED, NEWEST, PROJECT, schema_of_release
from gitgpu.load.validate.subschemas import children
from gitgpu.objects.schema.cel_rules import DOCUMENT
from gitgpu.objects.schema.structural import structural_schema
from tools.contract_releases import Project, Release, join_releases, projects, verified
from tools.contract_rules import Served, joined_rules
from tools.crds import sources
from tools.earlier_crds import earlier_crd, earlier_releases
from tools.enforced import enforce, require
from tools.evidence import dates

Node: TypeAlias = dict[str, Any]

ROOT = Path(__file__).parents[1]
CONTRACTS = ROOT / "schemas" / "contracts"
CRDS = ROOT.parent / "shared" / "crds"
OF_RELEASES = ROOT.parent / "shared" / "upstream" / "crds"  # a folder for each release of a project
OF_CHARTS = ROOT.parent / "shared" / "crds-of-charts"  # a folder for each chart that has its own CRDs
KINDS = {
    "amd.com_deviceconfigs": "v1alpha1",
    "argoproj.io_applications": "v1alpha1",
    "argoproj.io_applicationsets": "v1alpha1",
    "argoproj.io_appprojects": "v1alpha1",
    "autoscaling.x-k8s.io_capacitybuffers": "v1beta1",
    "azmonitoring.coreos.com_podmonitors": "v1",
    "azmonitoring.coreos.com_servicemonitors": "v1",
    "containerservice.azure.com_maintenanceconfigurations": "v1api20250801",
    "containerservice.azure.com_managedclusters": "v1api20250801",
    "containerservice.azure.com_managedclustersagentpools": "v1api20250801",
    "helm.toolkit.fluxcd.io_helmreleases": "v2",
    "kaito.sh_inferencesets": "v1beta1",
    "kaito.sh_ragengines": "v1beta1",
    "kaito.sh_workspaces": "v1beta1",
    "karpenter.azure.com_aksnodeclasses": "v1beta1",
    "karpenter.sh_nodeclaims": "v1",
    "karpenter.sh_nodeoverlays": "v1alpha1",
    "karpenter.sh_nodepools": "v1",
    "keda.sh_clustertriggerauthentications": "v1alpha1",
    "keda.sh_scaledjobs": "v1alpha1",
    "keda.sh_scaledobjects": "v1alpha1",
    "keda.sh_triggerauthentications": "v1alpha1",
    "kueue.x-k8s.io_admissionchecks": "v1beta2",
    "kueue.x-k8s.io_clusterqueues": "v1beta2",
    "kueue.x-k8s.io_cohorts": "v1beta2",
    "kueue.x-k8s.io_localqueues": "v1beta2",
    "kueue.x-k8s.io_provisioningrequestconfigs": "v1beta2",
    "kueue.x-k8s.io_resourceflavors": "v1beta2",
    "kueue.x-k8s.io_topologies": "v1beta2",
    "kueue.x-k8s.io_workloadpriorityclasses": "v1beta2",
    "kustomize.toolkit.fluxcd.io_kustomizations": "v1",
    "mellanox.com_nicclusterpolicies": "v1alpha1",
    "monitoring.coreos.com_podmonitors": "v1",
    "monitoring.coreos.com_prometheusrules": "v1",
    "monitoring.coreos.com_scrapeconfigs": "v1alpha1",
    "monitoring.coreos.com_servicemonitors": "v1",
    "nvidia.com_clusterpolicies": "v1",
    "nvidia.com_gpuclusters": "v1alpha1",
    "nvidia.com_nvidiadrivers": "v1alpha1",
    "resource.nvidia.com_computedomains": "v1beta1",
    "source.toolkit.fluxcd.io_buckets": "v1",
    "source.toolkit.fluxcd.io_externalartifacts": "v1",
    "source.toolkit.fluxcd.io_gitrepositories": "v1",
    "source.toolkit.fluxcd.io_helmcharts": "v1",
    "source.toolkit.fluxcd.io_helmrepositories": "v1",
    "source.toolkit.fluxcd.io_ocirepositories": "v1",
}
# Kinds whose CRDs are read only with --crds: few copies of the project have them next to it.
MORE = {
    "mellanox.com_hostdevicenetworks": "v1alpha1",
    "mellanox.com_ipoibnetworks": "v1alpha1",
    "mellanox.com_macvlannetworks": "v1alpha1",
    "mellanox.com_nicnodepolicies": "v1alpha1",
}
# Versions with a contract of their own, because other fields and values are valid in them.
OTHER_VERSIONS = {"containerservice.azure.com_managedclustersagentpools": ("v20251002preview",)}
_TEXTS = {"type": "object", "additionalProperties": {"type": "string"}}
_BY_SERVER = ("creationTimestamp", "deletionTimestamp", "generateName", "resourceVersion", "selfLink", "uid")
METADATA: Node = {"type": "object", "additionalProperties": False, "required": ["name"]} | {
    "properties": {
        **{key: {"type": "string"} for key in _BY_SERVER},
        "annotations": _TEXTS,
        "deletionGracePeriodSeconds": {"type": "integer"},
        "finalizers": {"type": "array", "items": {"type": "string"}},
        "generation": {"type": "integer"},
        "managedFields": {"type": "array"},
        "ownerReferences": {"type": "array", "items": {"type": "object"}},
        "labels": _TEXTS,
        "name": {"type": "string", "minLength": 1, "maxLength": 253},
        "namespace": {"type": "string", "minLength": 1, "maxLength": 63},
    },
}
_LINE = 120  # characters
_WORTH_SHARING = 90  # characters; below that a $ref saves nothing


@cache
def crd(name: str, folder: Path = CRDS) -> Node:
    """One upstream CRD."""
    earlier = earlier_releases().get(folder.name)
    if earlier:
        return earlier_crd(crd(name, folder.with_name(earlier.base)), KINDS[name], earlier.patches[name])
    path = folder / f"{name}.yaml"
    (document,), faults = parse(Text(path.name, path.read_text("utf-8"), path.name))
    assert not faults, faults
    return document.data  # type: ignore[no-any-return]


@cache
def contract(name: str, other_version: str = "", folder: Path = CRDS) -> tuple[str, str]:
    """The file name and the text of the contract of one CRD, in the version that gitgpu writes or in another one.

    The CRD of a kind that no list of releases has is in `folder`.
    """
    version = other_version or (KINDS | MORE)[name]
    project = next((project for project in projects() if _releases(name, project, version)), None)
    newest = crd(name, _folder(name, _releases(name, project, version)[-1]) if project else folder)
    spec = newest["spec"]
    kind, group = spec["names"]["kind"], spec["group"]
    head = {"x-gitgpu-scope": spec["scope"]}
    if project is None:
        schema = closed_schema(newest, version)
        head = {"$comment": f"{kind} {group}/{version}, reduced from {origin(name)}"} | head
    else:
        schema, changed, last = _of_project(name, version, project)
        span = changed[0] if changed[0] == last else f"{changed[0]} to {last}"
        releases = f"{project.name} {span} @ tools/releases.yaml"
        head = {"$comment": f"{kind} {group}/{version}, reduced from {releases}"} | head
        head |= {PROJECT: project.key, NEWEST: last, CHANGED: changed}
    file = "_".join(part for part in (group, kind.lower(), other_version) if part)
    return f"{file}.json", text(head | shared(schema)) + "\n"


def _of_project(name: str, version: str, project: Project) -> tuple[Node, list[str], str]:
    """The joined schema, the releases that changed it, and the newest release."""
    changed: list[str] = []
    schemas: list[Node] = []
    releases = _releases(name, project, version)
    for release in releases:
        schema = closed_schema(crd(name, _folder(name, release)), version)
        if not schemas or schema != schemas[-1]:
            changed.append(release.number)
            schemas.append(schema)
    joined = join_releases(schemas, changed)
    for index, schema in enumerate(schemas):
        assert schema_of_release(joined, index, changed) == schema, (name, changed[index])
    return joined, changed, releases[-1].number


def rule_list() -> tuple[str, str]:
    """The file name and the text of the CEL rules of all kinds."""
    found: Node = {"$comment": "CEL rules of the CRDs of these releases, @ tools/releases.yaml and tools/rules.yaml"}
    for name, version in KINDS.items():
        project = next((project for project in projects() if _releases(name, project)), None)
        if project is None:
            continue
        rules = joined_rules([_served(name, release, project) for release in _releases(name, project)], version)
        if rules:
            spec = crd(name, _folder(name, _releases(name, project)[-1]))["spec"]
            found[f"{spec['group']}_{spec['names']['kind'].lower()}"] = rules
    return f"{DOCUMENT}.json", text(found) + "\n"


def _served(name: str, release: Release, project: Project) -> Served:
    found: list[Node | None] = [None, None]
    for folder in _folders(name, release):
        found[bool(project.provider) and folder.name.startswith(project.provider)] = crd(name, folder)
    return Served(release.number, *found)


def folders_of(name: str) -> dict[str, Path]:
    """The folders with the CRD of a kind, by the release that it is from; {} if its releases are not known."""
    of_kind = ((release, project) for project in projects() for release in _releases(name, project))
    return {release.number: folder for release, _ in of_kind if (folder := _folder(name, release))}


def _releases(name: str, project: Project, version: str = "") -> list[Release]:
    """The releases of a project that serve a version of a CRD, by default the one that its contract is about."""
    wanted = version or (KINDS | MORE)[name]
    found = []
    for release in project.releases:
        folder = _folder(name, release)
        if folder and any(item["served"] and item["name"] == wanted for item in crd(name, folder)["spec"]["versions"]):
            found.append(release)
    return found


def _folder(name: str, release: Release) -> Path | None:
    """The folder with a CRD of a release. Of two, which differ only in CEL, the first."""
    return next(_folders(name, release), None)


def _folders(name: str, release: Release) -> Iterator[Path]:
    """The folders with a CRD of a release."""
    for folder in release.folders:
        if name in crd_names(OF_RELEASES / folder):
            yield OF_RELEASES / folder


@cache
def crd_names(folder: Path) -> tuple[str, ...]:
    """The names of the CRDs in a folder: "karpenter.sh_nodepools"."""
    earlier = earlier_releases().get(folder.name)
    return tuple(sorted(earlier.patches if earlier else (path.stem for path in folder.glob("*.yaml"))))


def closed_schema(crd: Node, version: str) -> Node:
    """The schema of one version of a CRD, reduced to what a contract keeps."""
    spec = crd["spec"]
    served = next(item for item in spec["versions"] if item["name"] == version)
    given = served["schema"]["openAPIV3Schema"]
    schema = structural_schema(given)
    require(schema, given)
    enforce(schema, crd["metadata"]["name"])
    if "status" in schema["properties"]:
        schema["properties"]["status"] = {}  # written by controllers; exported objects have it
    schema["properties"] |= {
        "apiVersion": {"const": f"{spec['group']}/{version}"},
        "kind": {"const": spec["names"]["kind"]},
        "metadata": METADATA,
    }
    schema["required"] = sorted({"apiVersion", "kind", "metadata", *schema.get("required", ())} - {"status"})
    return schema


def release_list() -> tuple[str, str]:
    """The file name and the text of the list of releases: each project with its name and the dates of its releases."""
    listed = {
        project.key: {
            "name": project.name,
            "charts": list(project.charts),
            "images": dict(project.images),
            "releases": {release.number: release.date for release in project.releases},
        }
        for project in projects()
    }
    head = {"$comment": "Releases that contracts know, @ tools/releases.yaml", "$verified": str(verified())}
    return "_releases.json", text(head | listed) + "\n"


def origin(name: str) -> str:
    """The repository, release, date and commit of a CRD."""
    source = next(source for source in sources() if source.file == f"{name}.yaml")
    day = dates().commits.get(source.repository, {}).get(source.commit)
    return f"{source.repository} {source.tag}{f' of {day}' if day else ''} @ {source.commit[:12]}"


def shared(schema: Node) -> Node:
    """The same schema with parts that occur more than once moved to `definitions`."""
    names = _repeated(schema)

    def fold(part: Node, name: str) -> Node:
        known = names.get(json.dumps(part, sort_keys=True))
        return {"$ref": f"#/definitions/{known}"} if known else _children(part, fold, name)

    definitions = {name: _children(json.loads(key), fold) for key, name in names.items()}
    return _children(schema, fold) | ({"definitions": definitions} if definitions else {})


def _children(part: Node, change: Callable[[Node, str], Node], name: str = "") -> Node:
    """The part with every schema below it changed, also those of some releases."""
    done = children(part, change, name)
    if BY_RELEASE in part:
        done[BY_RELEASE] = [children(entry, change, name) for entry in part[BY_RELEASE]]
    return done


def _repeated(schema: Node) -> dict[str, str]:
    """The parts worth sharing, as text, each with a name: that of the property where it first occurs."""
    times: dict[str, int] = {}
    names: dict[str, str] = {}

    def visit(part: Node, name: str) -> Node:
        key = json.dumps(part, sort_keys=True)
        times[key] = times.get(key, 0) + 1
        names.setdefault(key, name)
        return _children(part, visit, name) if times[key] == 1 else part

    visit(schema, "root")
    worth = {key: name for key, name in names.items() if times[key] > 1 and len(key) > _WORTH_SHARING}
    taken: dict[str, int] = {}
    for key, name in worth.items():
        taken[name] = taken.get(name, 0) + 1
        worth[key] = f"{name}{taken[name]}" if taken[name] > 1 else name
    return worth


def text(value: Any, indent: str = "") -> str:
    """Compact JSON that can be reviewed: a value that fits on one line is not broken."""
    flat = json.dumps(value, separators=(",", ":"))
    if len(indent + flat) <= _LINE or not isinstance(value, (dict, list)):
        return flat
    inner = indent + " "
    if isinstance(value, list):
        return "[\n" + ",\n".join(inner + text(item, inner) for item in value) + f"\n{indent}]"
    members = (f"{inner}{json.dumps(key)}:{text(item, inner)}" for key, item in value.items())
    return "{\n" + ",\n".join(members) + f"\n{indent}}}"


def main(arguments: list[str]) -> int:
    """Prints the contracts that differ from the upstream CRDs; writes them with --update."""
    parser = argparse.ArgumentParser(prog="python -m tools.contracts", description=__doc__)
    parser.add_argument("--update", action="store_true", help="write what differs")
    parser.add_argument(
        "--crds", type=Path, metavar="FOLDER", help="where python -m tools.crds downloaded definitions to"
    )
    given = parser.parse_args(arguments)
    others = [(name, version) for name, versions in OTHER_VERSIONS.items() for version in versions]
    more = [contract(name, folder=given.crds) for name in MORE] if given.crds else []
    written = (*map(contract, KINDS), *more, *starmap(contract, others), release_list(), rule_list())
    stale = {file: body for file, body in written if not is_committed(file, body)}
    for file, body in stale.items():
        print(file)
        if given.update:
            (CONTRACTS / file).write_text(body, "utf-8", newline="\n")
    return 1 if stale and not given.update else 0


def is_committed(name: str, body: str) -> bool:
    """Whether a contract file holds exactly this text."""
    path = CONTRACTS / name
    return path.is_file() and path.read_bytes() == body.encode()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
