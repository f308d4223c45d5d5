"""The page about pins: two clusters with two versions, and a version from your own catalog."""

import re
from pathlib import Path

import pytest

from tests.journeys.repository import Repository

PAGE = (Path(__file__).parents[2] / "docs/how-to/pin-versions.md").read_text(encoding="utf-8")
SPEC, ROW = re.findall(r"(?ms)^```yaml\n(.*?)^```$", PAGE)


@pytest.fixture
def fleet(tmp_path: Path) -> Repository:
    """The fleet of the page."""
    (tmp_path / "fleet.yaml").write_text(SPEC, encoding="utf-8")
    return Repository(tmp_path)


def versions(fleet: Repository) -> list[str]:
    """The lines that the page shows of what was built."""
    texts = (fleet.files(f"overlays/{name}/controllers")["helmrelease-keda.yaml"] for name in ("prod", "staging"))
    return [line for text in texts for line in text.decode().splitlines() if "version:" in line]


def test_each_cluster_has_its_version(fleet: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    assert fleet.gitgpu("build", "-q") == 0
    assert len(versions(fleet)) == 2
    assert "\n".join(versions(fleet)) in PAGE
    capsys.readouterr()
    assert fleet.gitgpu("explain", "--effective", "cluster/prod") == 0
    assert re.search(r'keda: "2\.19\.0" +# fleet\.yaml:9\n', capsys.readouterr().out)


def test_your_own_version(fleet: Repository) -> None:
    row = fleet.root / "catalog-contoso/releases/keda-2.21.0.yaml"
    row.parent.mkdir(parents=True)
    row.write_text(ROW, encoding="utf-8")
    spec = fleet.root / "fleet.yaml"
    spec.write_text(SPEC.replace("2.20.2", "2.21.0"), encoding="utf-8")
    assert fleet.gitgpu("build", "-q") == 1
    config = "apiVersion: gitgpu.dev/v1alpha1\nkind: Config\nfleet: [fleet.yaml]\ncatalog: [catalog-contoso]\n"
    (fleet.root / ".gitgpu.yaml").write_text(config, encoding="utf-8")
    assert fleet.gitgpu("build", "-q") == 0
    assert [line.split('"')[1] for line in versions(fleet)] == ["2.19.0", "2.21.0"]
    built = fleet.files("overlays/staging/controllers")["helmrelease-keda.yaml"].decode()
    assert "catalog-contoso/releases/keda-2.21.0.yaml" in built.partition("\n")[0]


@pytest.mark.parametrize("pin", ["null", "2.20", "[]", '""', "latest", "v2.20.2", "1.10", '"2.20.2 "', "{a: b}"])
def test_a_pin_that_is_wrong_is_reported(fleet: Repository, pin: str, capsys: pytest.CaptureFixture[str]) -> None:
    spec = SPEC.replace("{keda: 2.20.2}", f"{{keda: {pin}}}")
    (fleet.root / "fleet.yaml").write_text(spec, encoding="utf-8")
    assert fleet.gitgpu("validate") == 1
    output = capsys.readouterr()
    assert re.search(r"fleet\.yaml:18:\d+: error\[(SHP\d+|VER002)\]", output.out + output.err)
    assert "INT001" not in output.out + output.err
