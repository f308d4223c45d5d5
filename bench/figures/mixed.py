"""Lint of mixed repositories, against parsing the same files with PyYAML's C code."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import yaml

from bench.figure import Bench, Figure, Goal, Row
from bench.measure import GITGPU, PYTHON, process, row, side_by_side
from gitgpu.rules.object_rulebook import object_rules

FILES = 1880  # for 1,000 clusters; `--clusters 5000` makes 9,400
FOLDER = 47  # files in a folder of a repository: 40 folders for 1,000 clusters
# With such an example, Flux would apply the files of all repositories to one cluster.
_APPLIES_ALL = re.compile(r"^ +path: \./$", re.MULTILINE)
PARSE = """\
import pathlib, yaml
for path in pathlib.Path(".").rglob("*.*"):
    with path.open() as file:
        try:
            for document in yaml.load_all(file, yaml.CSafeLoader):
                pass
        except yaml.YAMLError:
            pass
"""
TEMPLATE = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ .Release.Name }}-%d}
spec: {{- toYaml .Values.spec | nindent 2 }}
"""
DEFINITION = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "spec": {
        "scope": "Namespaced",
        "versions": [
            {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}
        ],
    },
}


def measure(bench: Bench) -> Iterator[Row]:
    """YAML, JSON, CRDs and charts, in folders. Whole processes, including their start."""
    files = FILES * bench.clusters // 1000
    folder = _repositories(bench.folder / "mixed", files)
    lint = process((*GITGPU, "lint", "--fail-on", "never", "."), folder)
    costs = side_by_side({"lint": lint, "parse": process((*PYTHON, "-c", PARSE), folder)}, bench.rounds)
    what = f"lint, {files:,} files of mixed repositories"
    yield row(what, "CSafeLoader parsing them", (costs["lint"], costs["parse"]), Goal(1.3))


def _repositories(root: Path, number: int) -> Path:
    examples = [rule.good for rule in object_rules() if not _APPLIES_ALL.search(rule.good)]
    for at in range(number):
        folder = root / f"repository-{at // FOLDER}"
        name, text = _file(at, examples[at % len(examples)])
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def _file(at: int, example: str) -> tuple[str, str]:
    """The path and text of a file. Of ten files, six are YAML, two JSON, one is a CRD and one a template."""
    if at % 10 == 9:
        return f"chart/templates/part-{at}.yaml", TEMPLATE % at
    if at % 10 == 8:
        names = {"kind": f"Thing{at}", "plural": f"thing{at}s", "singular": f"thing{at}"}
        spec = {**DEFINITION["spec"], "group": "example.com", "names": names}  # type: ignore[dict-item]
        body = {**DEFINITION, "metadata": {"name": f"thing{at}s.example.com"}, "spec": spec}
        return f"crds/thing-{at}.yaml", yaml.dump(body, Dumper=yaml.CSafeDumper)
    if at % 10 in (6, 7):
        items = list(yaml.load_all(example, yaml.CSafeLoader))
        return f"exported/objects-{at}.json", json.dumps({"apiVersion": "v1", "kind": "List", "items": items}, indent=2)
    return f"apps/app-{at}.yaml", example


FIGURE = Figure("mixed", "lint of mixed repositories against parsing their files", measure)
