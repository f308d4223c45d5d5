"""Files with Helm values but without the name of a chart: which chart their keys belong to."""

from gitgpu.adopt.reading.bare_values import bare_values
from gitgpu.load.text import Text
from tests.adopt.test_recorded_imports import CATALOG
from tests.helping.cases import for_each


@for_each(
    ("text", "chart"),
    [
        ("toolkit: {enabled: true}\n", "gpu-operator"),
        ("toolkit: {enabled: true}\ndriver: {enabled: false}\n", "gpu-operator"),
        ("watchNamespace: a\nimage: {}\n", "keda"),
        ("arguments: [a]\nserviceMonitor: {enabled: true}\n", "dcgm-exporter"),
        ("toolkit: {enabled: true}\nwatchNamespace: a\n", ""),  # keys of two charts
        ("toolkit: {enabled: true}\nunheard: 1\n", ""),
        ("image: {tag: a}\n", ""),  # a key of many charts
        ("metricsServer: {}\nimage: {}\ntolerations: []\n", "keda"),
        ("", ""),
        ("{}\n", ""),
        ("- toolkit\n", ""),
        ("toolkit\n", ""),
        ('{"toolkit": {"enabled": true}}\n', ""),
        ("\n [toolkit]\n", ""),
        ("toolkit: {}\n---\ntoolkit: {}\n", ""),
        ("toolkit: {}\ntoolkit: {enabled: true}\n", ""),  # a duplicate key
        ("toolkit: {apiVersion: v1}\n", ""),
    ],
)
def test_the_chart_whose_keys_a_file_has(text: str, chart: str) -> None:
    value_files = bare_values([Text("a.yaml", text, "a.yaml"), Text("b.yaml", "other: 1\n", "b.yaml")], CATALOG)
    assert [values.chart for values in value_files] == ([chart] if chart else [])


@for_each(
    ("text", "chart"),
    [
        ("serviceMonitor: {enabled: true}\n", "dcgm-exporter"),
        ("replicas: 2\nrules: {}\n", "prometheus-adapter"),
        ("metrics: {}\n", "kueue"),
    ],
)
def test_a_common_key_needs_the_name_of_the_chart_in_the_path(text: str, chart: str) -> None:
    for name, found in ((f"charts/{chart}/a.yaml", [chart]), ("charts/web/values.yaml", [])):
        assert [values.chart for values in bare_values([Text(name, text, name)], CATALOG)] == found


def test_a_long_file_is_not_read() -> None:
    comment = "# a\n" * 49_990
    assert bare_values([Text("a.yaml", f"{comment}toolkit: {{}}\n", "a.yaml")], CATALOG)
    assert not bare_values([Text("a.yaml", f"{comment}{comment}toolkit: {{}}\n", "a.yaml")], CATALOG)
