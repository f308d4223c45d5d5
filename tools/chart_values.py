"""The rows of catalog/values, derived from upstream charts: `python -m tools.chart_values CLONES` checks them.

With --update it writes them. CLONES holds a clone, with tags, of each repository of CHARTS as `<owner>+<name>/repo`.
A row has the keys that occur in a chart's values.yaml, values.schema.json or templates, and for each key the versions
in which it occurs. A map that a version passes on as a whole is left open.
"""

import argparse
import json
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator, Mapping
from functools import cache, reduce
from pathlib import Path
from typing import Any, NamedTuple

from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text
from gitgpu.model.syntax.version import version
from gitgpu.write.atomic_file import write_file
from tools.evidence import is_stale, redated
from tools.gotemplate import reads

ROOT = Path(__file__).parents[1]
ROWS = ROOT / "catalog" / "values"
VERIFIED = "2026-11-22"
ALWAYS = ("fullnameOverride", "global", "nameOverride", "tags")  # read by Helm, or by most charts' helpers
_LINE = 118  # characters


class Chart(NamedTuple):
    """Where the versions of a chart are: repository, folder, a pattern for tags, and the oldest version to read."""

    repository: str
    folder: str
    tags: str
    oldest: str


class Tree(NamedTuple):
    """The keys of one version, as dotted paths. `open` paths allow any further key, `strict` ones refuse it."""

    known: frozenset[str]
    open: frozenset[str]
    strict: frozenset[str]


_NFD = "node-feature-discovery"
CHARTS = {  # by the name in Chart.yaml
    "gpu-operator-charts": Chart("ROCm/gpu-operator", "helm-charts-k8s", r"v([\d.]+)", "1.2.0"),
    "cert-manager": Chart("cert-manager/cert-manager", "deploy/charts/cert-manager", r"v(\d+\.\d+\.\d+)", "1.15.0"),
    "dcgm-exporter": Chart("NVIDIA/dcgm-exporter", "deployment", r"[\d.]+-([\d.]+)", "3.4.0"),
    "dra-driver-nvidia-gpu": Chart(
        "kubernetes-sigs/dra-driver-nvidia-gpu",
        "deployments/helm/dra-driver-nvidia-gpu",
        r"v(0\.[\d.]+)",
        "0.4.0",
    ),
    "gpu-operator": Chart("NVIDIA/gpu-operator", "deployments/gpu-operator", r"v([\d.]+)", "23.3.0"),
    "ragengine": Chart("kaito-project/kaito", "charts/kaito/ragengine", r"v([\d.]+)", "0.4.0"),
    "workspace": Chart("kaito-project/kaito", "charts/kaito/workspace", r"v([\d.]+)", "0.4.0"),
    "keda": Chart("kedacore/charts", "keda", r"v(2\.[\d.]+)", "2.11.0"),
    "keda-kaito-scaler": Chart("kaito-project/keda-kaito-scaler", "charts/keda-kaito-scaler", r"v([\d.]+)", "0.3.0"),
    "kueue": Chart("kubernetes-sigs/kueue", "charts/kueue", r"v(0\.[\d]+\.[\d]+)", "0.17.0"),
    "network-operator": Chart("Mellanox/network-operator", "deployment/network-operator", r"v(2\d\.[\d.]+)", "24.1.0"),
    "nvidia-dra-driver-gpu": Chart(
        "kubernetes-sigs/dra-driver-nvidia-gpu", "deployments/helm/nvidia-dra-driver-gpu", r"v(25\.[\d.]+)", "25.3.0"
    ),
    _NFD: Chart(
        "kubernetes-sigs/node-feature-discovery", "deployment/helm/node-feature-discovery", r"v([\d.]+)", "0.14.0"
    ),
    "nvidia-device-plugin": Chart(
        "NVIDIA/k8s-device-plugin", "deployments/helm/nvidia-device-plugin", r"v([\d.]+)", "0.13.0"
    ),
    "kube-prometheus-stack": Chart(
        "prometheus-community/helm-charts", "charts/kube-prometheus-stack", r"kube-prometheus-stack-([\d.]+)", "61.0.0"
    ),
    "prometheus-adapter": Chart(
        "prometheus-community/helm-charts", "charts/prometheus-adapter", r"prometheus-adapter-([\d.]+)", "4.0.0"
    ),
}


class Clone(NamedTuple):
    """A repository on disk."""

    path: Path

    def git(self, *arguments: str) -> str:
        """The output of a git command as text."""
        command = ["git", "-C", str(self.path), *arguments]
        return subprocess.run(command, capture_output=True, check=True, text=True, encoding="utf-8").stdout

    def bytes(self, *arguments: str) -> bytes:
        """The output of a git command as bytes."""
        return subprocess.run(["git", "-C", str(self.path), *arguments], capture_output=True, check=True).stdout

    def files(self, commit: str, folder: str) -> dict[str, str]:
        """The files of a chart that matter here, at a commit: Chart.yaml, values and their schema, templates."""
        listed = self.git("ls-tree", "-r", commit, f"{folder}/").splitlines()
        fields = (line.split(None, 3) for line in listed)
        wanted = {name.removeprefix(f"{folder}/"): blob for _, _, blob, name in fields if _counts(name)}
        return {name: self.blob(blob) for name, blob in wanted.items()}

    def blob(self, name: str) -> str:
        """A file's content."""
        return _blob(self.path, name)


def _counts(name: str) -> bool:
    file = name.rpartition("/")[2]
    named = file in ("Chart.yaml", "values.yaml", "values.schema.json")
    return named or ("/templates/" in name and file.endswith((".yaml", ".yml", ".tpl", ".txt")))


@cache
def _blob(path: Path, name: str) -> str:
    return Clone(path).git("cat-file", "blob", name)


def versions(chart: Chart, clones: Path) -> Iterator[tuple[str, str]]:
    """The versions of a chart and the tags that hold them, oldest first."""
    clone = Clone(clones / chart.repository.replace("/", "+") / "repo")
    matches = (re.fullmatch(chart.tags, tag) for tag in clone.git("tag").split())
    names = {match[1]: match[0] for match in matches if match}
    for number in sorted(names, key=version):
        if version(number) >= version(chart.oldest):
            yield number, names[number]


def tree(files: Mapping[str, str], clones: Path) -> Tree:
    """The keys that one version of a chart reads."""
    known, whole, strict = set(ALWAYS), {"global", "tags"}, set[str]()
    known.update(_paths(_yaml(files.get("values.yaml", ""))))
    for name, text in files.items():
        if name.startswith("templates/"):
            keys_read = list(reads(text))
            known.update(".".join(read.path) for read in keys_read)
            whole.update(".".join(read.path) for read in keys_read if read.whole)
    schema = json.loads(files.get("values.schema.json", "{}"))
    _of_schema(schema, schema, (), (known, whole, strict))
    for part in _yaml(files.get("Chart.yaml", "")).get("dependencies") or ():
        known.update(path for path in str(part.get("condition") or "").split(",") if path)
        name, inner = part.get("alias") or part["name"], _dependency(part, files, clones)
        known.add(name)
        if inner is None:
            whole.add(name)
        else:
            whole.update(f"{name}.{path}" for path in inner.open)
            known.update(f"{name}.{path}" for path in inner.known)
    known = {".".join(path.split(".")[:at]) for path in known for at in range(1, path.count(".") + 2)}
    return Tree(frozenset(known - {""}), frozenset(whole), frozenset(strict))


def _dependency(part: Mapping[str, Any], files: Mapping[str, str], clones: Path) -> Tree | None:
    """The keys of a chart within the chart: vendored next to it, or at its tag; None if neither is available."""
    prefix = f"charts/{part['name']}/"
    inside = {name.removeprefix(prefix): text for name, text in files.items() if name.startswith(prefix)}
    if "values.yaml" in inside:
        return tree(inside, clones)
    if part["name"] == _NFD:
        tags = dict(versions(CHARTS[_NFD]._replace(oldest="0"), clones))
        tag = tags.get(str(part["version"]).removeprefix("v"))
        clone = Clone(clones / CHARTS[_NFD].repository.replace("/", "+") / "repo")
        return tree(clone.files(tag, CHARTS[_NFD].folder), clones) if tag else None
    return None


def _yaml(text: str) -> dict[str, Any]:
    documents, _ = parse(Text("chart", text, "chart"))
    data = documents[0].data if documents else None
    return data if isinstance(data, dict) else {}


def _paths(values: Any, above: str = "") -> Iterator[str]:
    for key, value in values.items() if isinstance(values, dict) else ():
        yield f"{above}{key}"
        yield from _paths(value, f"{above}{key}.")


def _of_schema(schema: Any, root: Any, path: tuple[str, ...], collected: tuple[set[str], set[str], set[str]]) -> None:
    known, whole, strict = collected
    if not str(schema.get("$ref", "#")).startswith("#"):
        whole.add(".".join(path))
    elif "$ref" in schema:
        parts = schema["$ref"].removeprefix("#/").split("/")
        schema = reduce(lambda at, part: at[part], parts, root)
    if any(key in schema for key in ("patternProperties", "anyOf", "oneOf", "allOf")):
        whole.add(".".join(path))
    if schema.get("additionalProperties") is False and schema.get("properties"):
        strict.add(".".join(path))
    for key, part in (schema.get("properties") or {}).items():
        known.add(".".join((*path, key)))
        _of_schema(part, root, (*path, key), collected)


def row(name: str, clones: Path) -> str:
    """The catalog row of a chart, as text."""
    chart = CHARTS[name]
    clone = Clone(clones / chart.repository.replace("/", "+") / "repo")
    tags = dict(versions(chart, clones))
    every = {number: clone.files(tag, chart.folder) for number, tag in tags.items()}
    trees = {number: tree(files, clones) for number, files in every.items() if "values.yaml" in files}
    commit = clone.git("rev-list", "-1", tags[[*trees][-1]]).strip()
    known = _spans({number: tree.known for number, tree in trees.items()})
    keys = _keys(trees)
    ranges = {path: span for path, span in known.items() if span != ("", "") and path.rpartition(".")[0] in keys}
    lines = [
        f"name: {name}",
        *_list("versions: ", [*trees]),
        "keys:",
        *(line for path, names in keys.items() for line in _list(f"  {_key(path)}: ", [*map(_key, names)])),
        "ranges:" if ranges else "ranges: {}",
        *(f"  {_key(path)}: {_pair(span)}" for path, span in ranges.items() if not _lies_in(ranges, path)),
    ]
    strict = _spans({number: tree.strict for number, tree in trees.items()})
    lines.append("strict:" if strict else "strict: {}")
    lines += [f"  {_key(path)}: {_pair(span)}" for path, span in strict.items()]
    lines += ["source:", f"  - https://github.com/{chart.repository}/tree/{commit}/{chart.folder}"]
    return "\n".join([*lines, f'verified: "{VERIFIED}"']) + "\n"


def _keys(trees: Mapping[str, Tree]) -> dict[str, list[str]]:
    """The keys of each map, by its path. Maps that any version leaves open are omitted."""
    by_path: dict[str, set[str]] = {}
    for keys in trees.values():
        for path in keys.known:
            above, _, key = path.rpartition(".")
            by_path.setdefault(above, set()).add(key)
    for keys in trees.values():
        for path in keys.open:
            for inner in [inner for inner in by_path if inner == path or inner.startswith(f"{path}.") or not path]:
                del by_path[inner]
    return {path: sorted(names) for path, names in sorted(by_path.items())}


def _spans(paths: Mapping[str, frozenset[str]]) -> dict[str, tuple[str, str]]:
    """The first and last version that have each path; "" stands for the oldest and the newest of all versions."""
    numbers, spans = [*paths], dict[str, tuple[str, str]]()
    for path in sorted({path for some in paths.values() for path in some}):
        having = [number for number in numbers if path in paths[number]]
        first = "" if having[0] == numbers[0] else having[0]
        last = "" if having[-1] == numbers[-1] else having[-1]
        spans[path] = (first, last)
    return spans


def _lies_in(ranges: Mapping[str, tuple[str, str]], path: str) -> bool:
    """Whether the parent of the path has the same range."""
    return "." in path and ranges.get(path.rpartition(".")[0]) == ranges[path]


def _key(text: str) -> str:
    plain = re.fullmatch(r"[A-Za-z][\w.-]*", text) and text.lower() not in (
        "yes",
        "no",
        "on",
        "off",
        "true",
        "false",
        "null",
    )
    return text if plain else json.dumps(text)


def _pair(span: tuple[str, str]) -> str:
    return f"[{', '.join(json.dumps(number) for number in span)}]"


def _list(head: str, items: list[str]) -> list[str]:
    indent = " " * (len(head) - len(head.lstrip()) + 2)
    return textwrap.wrap(
        f"{head}[{', '.join(items)}]", _LINE, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def main(arguments: list[str]) -> int:
    """Prints the rows that differ from the upstream charts; writes them with --update."""
    parser = argparse.ArgumentParser(prog="python -m tools.chart_values", description=__doc__)
    parser.add_argument("clones", type=Path, help="the folder of the clones")
    parser.add_argument("--update", action="store_true", help="write what differs")
    given = parser.parse_args(arguments)
    rows = {ROWS / f"{name}.yaml": row(name, given.clones) for name in CHARTS}
    stale = {path: text for path, text in rows.items() if is_stale(path, text)}
    for path, text in stale.items():
        print(path.name)
        if given.update:
            path.parent.mkdir(exist_ok=True)
            write_file(str(path), redated(text))
    return 1 if stale and not given.update else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
