"""Images in chart rows: the chart has their values, and each value contains the first part of the reference."""

from typing import Any

import pytest

from gitgpu.objects.gitops.value_keys import Keys, unread_paths
from tests.emit.fleets import CATALOG

ROWS = [
    (name, version.facts["charts"]) for name in CATALOG.names("charts") for version in CATALOG.versions(name).values()
]
EACH_ROW = pytest.mark.parametrize("row", [pytest.param(row, id=f"{name}-{row['version']}") for name, row in ROWS])


@EACH_ROW
def test_the_chart_reads_the_values_of_its_images(row: Any) -> None:
    for image in row.get("images", ()):
        keys = Keys(CATALOG.must("values", row["chart"]), row["version"].removeprefix("v"))
        paths = [*image["registry"], *image.get("pullSecrets", ()), *image.get("enabled", ())]
        for path in [*paths, *([image["tagValue"]] if "tagValue" in image else [])]:
            held: Any = True
            for key in reversed(path.split(".")):
                held = {key: held}
            assert list(unread_paths(held, keys)) == [], f"{image['image']}: {path}"


@EACH_ROW
def test_a_value_holds_the_start_of_the_reference(row: Any) -> None:
    for image in row.get("images", ()):
        for start in image["registry"].values():
            whole = f"{image['image']}:{image['tag']}"
            assert whole == start or image["image"] == start or image["image"].startswith(f"{start}/"), image["image"]


def test_every_chart_that_is_installed_lists_its_images() -> None:
    """The other rows are read by import and rules only."""
    without = {name for name, row in CATALOG.rows("charts").items() if not row.get("images")}
    assert without == {"cert-manager", "dcgm-exporter", "kube-prometheus-stack", "nvidia-device-plugin"}
