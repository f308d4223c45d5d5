"""The definitions of charts, as read from their repositories."""

import subprocess
from pathlib import Path

from tools.chart_definitions import Part, parts, row
from tools.chart_values import Chart

CHART = Chart("contoso/stack", "chart", r"v([\d.]+)", "1.0.0")


def committed(clones: Path, tag: str, files: dict[str, str]) -> None:
    repository = clones / "contoso+stack" / "repo"
    repository.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        path = repository / "chart" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    who = ("-c", "user.name=t", "-c", "user.email=t@example.com")
    for command in (("init", "-q"), ("add", "."), (*who, "commit", "-q", "-m", tag), ("tag", tag)):
        subprocess.run(["git", "-C", str(repository), *command], check=True, capture_output=True)


def definition(name: str) -> str:
    return f"kind: CustomResourceDefinition\nmetadata:\n  name: {name}.example.com\n"


def test_parts_and_versions_of_definitions(tmp_path: Path) -> None:
    first = {
        "Chart.yaml": "name: stack\ndependencies: [{name: sub, condition: sub.enabled}]\n",
        "values.yaml": "sub: {enabled: true}\ncrds: {install: false}\n",
        "crds/a.yaml": definition("as"),
        "charts/sub/crds/b.yaml": definition("bs"),
        "templates/c-crd.yaml": "{{- if .Values.crds.install }}\n" + definition("cs"),
        "templates/d-crd.yaml": "{{- if and .Values.a .Values.b }}\n" + definition("ds"),
    }
    committed(tmp_path, "v1.0.0", first)
    committed(tmp_path, "v1.1.0", {"crds/a.yaml": "", "crds/e.yaml": definition("es")})
    assert parts(CHART, "v1.0.0", tmp_path) == {
        "as.example.com": Part(folder=True, values=()),
        "bs.example.com": Part(folder=True, values=(("sub.enabled", True),)),
        "cs.example.com": Part(folder=False, values=(("crds.install", False),)),
    }
    text = row("stack", CHART, tmp_path) or ""
    assert 'as.example.com: ">=1.0.0 <1.1.0"' in text
    assert 'es.example.com: ">=1.1.0"' in text
