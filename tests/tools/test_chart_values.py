"""How the rows of catalog/values are derived: from templates, schemas and subcharts."""

import json
from pathlib import Path

from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.catalog import Catalog
from tests.helping.cases import for_each
from tools.chart_values import CHARTS, tree
from tools.gotemplate import reads

NONE = Path("/nowhere")


@for_each(
    ("template", "read", "whole"),
    [
        ("{{ .Values.a.b }}", {"a.b"}, {"a.b"}),
        ("{{- if and .Values.a (not .Values.b.c) }}{{ end }}", {"a", "b.c"}, set()),
        ("{{- with .Values.a }}{{ .b }}{{ $.Values.c | quote }}{{ end }}{{ .d }}", {"a.b", "c"}, {"a.b", "c"}),
        ("{{- with .Values.a }}{{ toYaml . | nindent 2 }}{{ end }}", {"a"}, {"a"}),
        ("{{ range $k, $v := .Values.a }}{{ $v.b }}{{ .c }}{{ end }}", {"a"}, {"a"}),
        ("{{ $x := .Values.a }}{{ $x.b }}", {"a.b"}, {"a.b"}),
        ("{{ $x := default dict .Values.a }}{{ $x.b }}", {"a"}, {"a"}),
        ('{{ include "x" (dict "values" .Values.a "root" $) }}', {"a"}, {"a"}),
        ('{{ index .Values "a-b" "c" }}', {"a-b.c"}, {"a-b.c"}),
        ("{{ index .Values .name }}", {""}, {""}),
        ('{{ if hasKey .Values.a "b" }}{{ end }}', {"a.b"}, set()),
        ('{{ define "x" }}{{ .root.Values.a }}{{ .Values.b }}{{ end }}', {"a", "b"}, {"a", "b"}),
        ("{{/* .Values.a */}}{{ `{{ .Values.b }}` }}", set(), set()),
        ("{{ if .Values.a }}{{ else if .Values.b }}{{ else }}{{ .Values.c }}{{ end }}", {"a", "b", "c"}, {"c"}),
    ],
)  # fmt: skip
def test_what_a_template_reads(template: str, read: set[str], whole: set[str]) -> None:
    keys_read = list(reads(template))
    assert {".".join(key.path) for key in keys_read} == read
    assert {".".join(key.path) for key in keys_read if key.whole} == whole


def test_a_chart_in_a_chart_has_its_keys_below_its_name() -> None:
    keys = tree(
        {
            "Chart.yaml": "dependencies: [{name: inner, alias: part, condition: part.on}, {name: absent}]",
            "values.yaml": "a: {b: 1}",
            "charts/inner/values.yaml": "c: {d: 1}",
            "charts/inner/templates/x.yaml": "{{ toYaml .Values.c }}",
        },
        NONE,
    )
    assert {"a.b", "part.c.d", "part.on", "absent"} <= keys.known
    assert {"part.c", "absent", "global"} <= keys.open
    assert "a" not in keys.open


def test_a_schema_adds_keys_and_refuses_others() -> None:
    inner = {"additionalProperties": False, "properties": {"b": {"$ref": "#/$defs/free"}}}
    schema = json.dumps({"properties": {"a": inner}, "$defs": {"free": {"patternProperties": {"x": {}}}}})
    keys = tree({"values.schema.json": schema}, NONE)
    assert {"a", "a.b"} <= keys.known
    assert keys.strict == {"a"}
    assert "a.b" in keys.open


def test_every_chart_of_the_catalog_has_its_values() -> None:
    catalog = Catalog(CatalogFiles())
    assert {row["chart"] for row in catalog.rows("charts").values()} <= set(catalog.names("values")) == set(CHARTS)
    for row in catalog.rows("charts").values():
        assert row["version"].removeprefix("v") in catalog.must("values", row["chart"])["versions"]


@for_each("name", sorted(CHARTS))
def test_a_row_is_ordered_and_its_ranges_are_of_its_keys(name: str) -> None:
    row = Catalog(CatalogFiles()).must("values", name)
    numbers = [tuple(map(int, number.split("."))) for number in row["versions"]]
    assert numbers == sorted(numbers)
    for path, span in row["ranges"].items():
        above, _, key = path.rpartition(".")
        assert key in row["keys"][above], path
        assert set(span) - {""} <= set(row["versions"])
