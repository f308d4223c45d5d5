"""The rows of catalog/definitions, derived from charts: `python -m tools.chart_definitions CLONES` checks them.

With --update it writes them. CLONES is laid out as for tools.chart_values. A row has the names of the custom resource
definitions that a chart and its subcharts install, with the versions that do, and the values that turn them off.
"""

import argparse
import io
import re
import sys
import tarfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from gitgpu.write.atomic_file import write_file
from tools.chart_values import CHARTS, Chart, Clone, versions
from tools.evidence import is_stale, redated

ROWS = Path(__file__).parents[1] / "catalog" / "definitions"
VERIFIED = "2026-11-29"
MORE_CHARTS = {
    "gpu-provisioner": Chart("Azure/gpu-provisioner", "charts/gpu-provisioner", r"v([\d.]+)", "0.2.0"),
    "kube-prometheus-stack": Chart(  # the first release of each major version: there are many
        "prometheus-community/helm-charts",
        "charts/kube-prometheus-stack",
        r"kube-prometheus-stack-(\d+\.0\.0)",
        "61.0.0",
    ),
    "karpenter-crd": Chart("Azure/karpenter-provider-azure", "charts/karpenter-crd", r"v(1\.[\d.]+)", "1.0.0"),
    "maintenance-operator-chart": Chart(
        "Mellanox/maintenance-operator", "deployment/maintenance-operator-chart", r"v([\d.]+)", "0.1.0"
    ),
    "prometheus-operator-crds": Chart(
        "prometheus-community/helm-charts",
        "charts/prometheus-operator-crds",
        r"prometheus-operator-crds-([\d.]+)",
        "12.0.0",
    ),
    "sriov-network-operator-chart": Chart(
        "k8snetworkplumbingwg/sriov-network-operator", "deployment/sriov-network-operator-chart", r"v([\d.]+)", "1.3.0"
    ),
}
OWNERS = {  # charts whose software reads the objects, by the ends of names; the charts themselves have no owner
    "kmm.sigs.x-k8s.io": "kernel-module-management",
    "argoproj.io": "argo-workflows",
    "inference.networking.k8s.io": "gateway-api-inference-extension",
    "inference.networking.x-k8s.io": "gateway-api-inference-extension",
    "karpenter.azure.com": "karpenter-crd",
    "karpenter.k8s.aws": "karpenter-crd",
    "karpenter.sh": "karpenter-crd",
    "k8s.cni.cncf.io": "multus",
    "maintenance.nvidia.com": "maintenance-operator-chart",
    "monitoring.coreos.com": "prometheus-operator-crds",
    "nfd.k8s-sigs.io": "node-feature-discovery",
    "resource.nvidia.com": "dra-driver-nvidia-gpu",
    "sriovnetwork.k8snetworkplumbingwg.io": "sriov-network-operator-chart",
    "sriovnetwork.openshift.io": "sriov-network-operator-chart",
}
SAME = {"nvidia-dra-driver-gpu": "dra-driver-nvidia-gpu"}  # earlier names of charts
# Files that are read: the names of others tell that they have no definition.
_READ = re.compile(r"(^|/)crds/|crd[^/]*$|[a-z0-9.-]+_[a-z]+\.ya?ml$|^Chart\.yaml$|^values\.yaml$")
_NAME = re.compile(r"""^  name: ["']?([a-z0-9-]+(?:\.[a-z0-9-]+)+)["']?\s*$""", re.MULTILINE)
_CONDITION = re.compile(r"^\{\{-? if (?:or )?((?:\.Values[.\w]+ ?)+)-?\}\}")


class Part(NamedTuple):
    """How a version installs a definition: from a crds folder or not, and its values with their defaults."""

    folder: bool
    values: tuple[tuple[str, bool], ...]


def parts(chart: Chart, tag: str, clones: Path) -> dict[str, Part]:
    """The definitions that one version installs, by name. One that needs several values is omitted."""
    files = _files(chart, tag, clones)
    found = dict[str, Part]()
    for name, text in files.items():
        if not name.endswith((".yaml", ".yml")) or "kind: CustomResourceDefinition" not in text:
            continue
        folder = "/templates/" not in f"/{name}"
        if folder and "/crds/" not in f"/{name}":
            continue
        values = _values(name, text, folder, files)
        if values is not None:
            found |= {crd: Part(folder, values) for crd in _NAME.findall(text)}
    return found


def _values(name: str, text: str, folder: bool, files: Mapping[str, str]) -> tuple[tuple[str, bool], ...] | None:
    place = name.rpartition("/crds/" if folder else "/templates/")[0] if "/" in name else ""
    subcharts = [part for part in place.split("/") if part != "charts"] if name.startswith("charts/") else []
    if len(subcharts) > 1:
        return None  # a subchart of a subchart
    conditions = _subchart_values(subcharts[0], files) if subcharts else []
    if not folder and (match := _CONDITION.match(text)):
        paths = re.findall(r"\.Values\.([.\w]+)", match[1])
        conditions.append([".".join((*subcharts, path)) for path in paths])
    elif not folder and text.lstrip().startswith("{{") and "if and" in text.partition("\n")[0]:
        return None
    if len(conditions) > 1:
        return None
    defaults = yaml.safe_load(files.get("values.yaml", "")) or {}
    return tuple((path, _default(defaults, path)) for path in (conditions[0] if conditions else ()))


def _subchart_values(name: str, files: Mapping[str, str]) -> list[list[str]]:
    dependencies = yaml.safe_load(files["Chart.yaml"]).get("dependencies") or ()
    written = next((each.get("condition") for each in dependencies if each["name"] == name), None)
    return [[path.strip() for path in written.split(",")]] if written else []


def _default(values: Any, path: str) -> bool:
    for key in path.split("."):
        values = values.get(key) if isinstance(values, dict) else None
    return bool(values)


def _files(chart: Chart, tag: str, clones: Path) -> dict[str, str]:
    clone = Clone(clones / chart.repository.replace("/", "+") / "repo")
    files = dict[str, str]()
    for line in clone.git("ls-tree", "-r", tag, f"{chart.folder}/").splitlines():
        fields, _, name = line.partition("\t")
        blob, short = fields.split()[2], name.removeprefix(f"{chart.folder}/")
        if short.endswith(".tgz"):
            files |= {f"charts/{inner}": text for inner, text in _packed(clone.path, blob)}
        elif short.endswith((".yaml", ".yml")) and _READ.search(short):
            files[short] = clone.blob(blob)
    return files


@cache
def _packed(path: Path, blob: str) -> tuple[tuple[str, str], ...]:
    with tarfile.open(fileobj=io.BytesIO(Clone(path).bytes("cat-file", "blob", blob))) as members:
        named = [
            each for each in members.getmembers() if each.name.endswith((".yaml", ".yml")) and _READ.search(each.name)
        ]
        read = [(each.name, members.extractfile(each)) for each in named]
        return tuple((name, content.read().decode("utf-8")) for name, content in read if content)


def row(name: str, chart: Chart, clones: Path) -> str | None:
    """The row of a chart as YAML; None if no version installs a definition."""
    tags = list(versions(chart, clones))
    by_version = {number: parts(chart, tag, clones) for number, tag in tags}
    newest = {crd: part for found in by_version.values() for crd, part in found.items()}
    if not newest:
        return None
    groups = dict[tuple[str, Part], dict[str, str]]()
    for crd in sorted(newest):
        owner = next((owner for end, owner in OWNERS.items() if crd.endswith(f".{end}")), name)
        owner = "" if SAME.get(name, name) == owner else owner
        bounds = _bounds([number for number, found in by_version.items() if crd in found], list(by_version))
        groups.setdefault((owner, newest[crd]), {})[crd] = bounds
    commit = Clone(clones / chart.repository.replace("/", "+") / "repo").git("rev-parse", f"{tags[-1][1]}^{{commit}}")
    lines = [f"name: {name}", "parts:"]
    for (owner, part), crds in groups.items():
        lines.append(f"  - folder: {str(part.folder).lower()}")
        lines += [f"    owner: {owner}"] if owner else []
        if part.values:
            lines.append(f"    values: {{{', '.join(f'{path}: {str(on).lower()}' for path, on in part.values)}}}")
        lines += ["    definitions:", *(f'      {crd}: "{bounds}"' for crd, bounds in crds.items())]
    source = f"https://github.com/{chart.repository}/tree/{commit.strip()}/{chart.folder}"
    return "\n".join((*lines, "source:", f"  - {source}", f'verified: "{VERIFIED}"', ""))


def _bounds(having: list[str], known: list[str]) -> str:
    """The versions with a definition. It is in the newest ones, or was removed after the last one that has it."""
    after = known[known.index(having[-1]) + 1 :]
    return f">={having[0]}" + (f" <{after[0]}" if after else "")


def rows(clones: Path) -> Iterator[tuple[Path, str]]:
    """The files of all charts that install a definition."""
    for name, chart in sorted({**CHARTS, **MORE_CHARTS}.items()):
        if (clones / chart.repository.replace("/", "+")).exists() and (text := row(name, chart, clones)):
            yield ROWS / f"{name}.yaml", text


def main(arguments: list[str]) -> int:
    """Prints the rows that differ from the upstream charts; writes them with --update."""
    parser = argparse.ArgumentParser(prog="python -m tools.chart_definitions", description=__doc__)
    parser.add_argument("clones", type=Path, help="the folder of the clones")
    parser.add_argument("--update", action="store_true", help="write what differs")
    given = parser.parse_args(arguments)
    written = dict(rows(given.clones))
    stale = {path: text for path, text in written.items() if is_stale(path, text)}
    for path, text in stale.items():
        print(path.name)
        if given.update:
            path.parent.mkdir(exist_ok=True)
            write_file(str(path), redated(text))
    return 1 if stale and not given.update else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
