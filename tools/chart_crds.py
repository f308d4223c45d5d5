"""The CRDs that an upgrade of a chart leaves behind: `python -m tools.chart_crds CLONES`.

Compares `crds` in catalog/transitions with clones of the charts' repositories, laid out as for tools.chart_values.
`helm upgrade` applies nothing from the crds folders of a chart and its subcharts: neither changed CRDs nor new ones.
"""

import argparse
import io
import json
import sys
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.catalog import Catalog
from tools.chart_values import CHARTS, Chart, Clone, versions

Definitions = Mapping[str, Any]  # by name


def definitions(chart: Chart, tag: str, clones: Path) -> dict[str, Any]:
    """The specs of the CRDs in the crds folders of a chart at a tag, without descriptions."""
    clone = Clone(clones / chart.repository.replace("/", "+") / "repo")
    listed = clone.git("ls-tree", "-r", "--name-only", tag, f"{chart.folder}/").splitlines()
    files = {name.removeprefix(f"{chart.folder}/"): name for name in listed}
    by_name = dict[str, Any]()
    for short, name in files.items():
        if _holds_definitions(short):
            by_name |= _read(clone.git("show", f"{tag}:{name}"))
        elif short.endswith(".tgz"):
            by_name |= _packed(clone.bytes("show", f"{tag}:{name}"))
    return by_name


def left_behind(old: Definitions, new: Definitions) -> list[str]:
    """The names of the CRDs that are new or changed."""
    return sorted(name for name, spec in new.items() if old.get(name) != spec)


def _holds_definitions(name: str) -> bool:
    return name.endswith((".yaml", ".yml")) and "/crds/" in f"/{name}" and "/templates/" not in f"/{name}"


def _packed(archive: bytes) -> dict[str, Any]:
    by_name = dict[str, Any]()
    with tarfile.open(fileobj=io.BytesIO(archive)) as members:
        for member in members.getmembers():
            content = members.extractfile(member) if _holds_definitions(member.name) else None
            by_name |= _read(content.read().decode("utf-8")) if content else {}
    return by_name


def _read(text: str) -> dict[str, Any]:
    documents = (document for document in yaml.load_all(text, yaml.CSafeLoader) if document)
    kind = "CustomResourceDefinition"
    return {document["metadata"]["name"]: _bare(document["spec"]) for document in documents if document["kind"] == kind}


def _bare(node: Any) -> Any:
    if isinstance(node, dict):
        return {key: _bare(value) for key, value in node.items() if key != "description" or not isinstance(value, str)}
    return [_bare(each) for each in node] if isinstance(node, list) else node


def wrong(clones: Path) -> Iterator[str]:
    """A line for each step whose `crds` differ from the clones."""
    catalog = Catalog(CatalogFiles())
    for name, row in catalog.rows("transitions").items():
        facts = catalog.facts("charts", name)
        if facts is None:
            continue
        chart = CHARTS[facts["chart"]]
        tags = dict(versions(chart, clones))
        held = {
            pin: definitions(chart, tags[str(version.facts["charts"]["version"]).removeprefix("v")], clones)
            for pin, version in catalog.versions(name).items()
        }
        for step in row["steps"]:
            real = left_behind(held[step["from"]], held[step["to"]])
            if step["verdict"] != "unknown" and real != step.get("crds", []):
                yield f"{name} {step['from']} to {step['to']}: {json.dumps(real)}"


def main(arguments: list[str]) -> int:
    """Prints the steps that differ from the upstream charts."""
    parser = argparse.ArgumentParser(prog="python -m tools.chart_crds", description=__doc__)
    parser.add_argument("clones", type=Path, help="the folder of the clones")
    faults = list(wrong(parser.parse_args(arguments).clones))
    print(*faults, sep="\n", end="\n" if faults else "")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
