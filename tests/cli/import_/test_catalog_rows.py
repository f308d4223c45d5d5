"""Where an import writes rows for versions that run and that gitgpu's catalog does not have."""

from pathlib import Path

import pytest
import yaml

from tests.adopt.test_first_build import nodes
from tests.adopt.test_running_rows import around, running
from tests.cli.conftest import KNOWN, Run

PROD = ("--cluster", "prod", "--region", "swedencentral", *KNOWN)
ROW = "releases/keda-2.16.1.yaml"
CONFIG = "apiVersion: gitgpu.dev/v1alpha1\nkind: Config\n"


@pytest.fixture
def cluster(run: Run) -> Run:
    """A cluster with an old KEDA."""
    Path("running.yaml").write_text(f"{nodes()}{running('keda', '2.16.1')}", encoding="utf-8")
    return run


def test_without_a_configuration_the_fleet_gets_a_catalog(cluster: Run) -> None:
    done = cluster("import", "running.yaml", *PROD)
    assert f"Wrote versions that run and that gitgpu's catalog does not have: fleet/catalog/{ROW}" in done.err
    assert Path(".gitgpu.yaml").read_text(encoding="utf-8") == f"{CONFIG}catalog: [fleet/catalog]\n"
    assert cluster("build").code == 0
    assert 'version: "2.16.1"' in Path("overlays/prod/controllers/helmrelease-keda.yaml").read_text(encoding="utf-8")
    before = Path("fleet/catalog", ROW).read_bytes()
    again = cluster("import", "running.yaml", "--force", *PROD)
    assert "catalog does not have" not in again.err
    assert Path("fleet/catalog", ROW).read_bytes() == before


def test_the_configured_catalog_gets_the_rows(cluster: Run) -> None:
    Path(".gitgpu.yaml").write_text(f"{CONFIG}catalog: [facts]\n", encoding="utf-8")
    Path("facts").mkdir()
    cluster("import", "running.yaml", *PROD)
    assert Path("facts", ROW).is_file()
    assert Path(".gitgpu.yaml").read_text(encoding="utf-8") == f"{CONFIG}catalog: [facts]\n"
    assert cluster("build").code == 0


def test_a_configuration_without_a_catalog_stays_as_it_is(cluster: Run) -> None:
    Path(".gitgpu.yaml").write_text(CONFIG, encoding="utf-8")
    done = cluster("import", "running.yaml", *PROD)
    assert "the catalog has no keda 2.16.1" in done.out
    assert not Path("fleet/catalog").exists()
    assert Path(".gitgpu.yaml").read_text(encoding="utf-8") == CONFIG


def test_another_directory(cluster: Run) -> None:
    cluster("import", "running.yaml", "--out", "work/spec/", *PROD)
    assert Path("work/.gitgpu.yaml").read_text(encoding="utf-8") == f"{CONFIG}catalog: [spec/catalog]\n"
    assert cluster("validate", "work/spec").code == 0


def test_a_dry_run_shows_the_files(cluster: Run) -> None:
    done = cluster("import", "running.yaml", "--dry-run", *PROD)
    assert f"fleet/catalog/{ROW}" in done.out
    assert "catalog: [fleet/catalog]" in done.out
    assert not Path("fleet").exists()
    assert not Path(".gitgpu.yaml").exists()


@pytest.mark.parametrize("version", ["25.12.0", "25.8.1"])
def test_a_chart_with_its_old_name_stays_the_same_release(run: Run, version: str) -> None:
    """Also a version that only gets a row: its name and repository are those of the versions with that name."""
    name = "nvidia-dra-driver-gpu"
    values = {"gpuResourcesEnabledOverride": True, "resources": {"computeDomains": {"enabled": False}}}
    Path("running.yaml").write_text(f"{around(name)}{running(name, version, values)}", encoding="utf-8")
    run("import", "running.yaml", *PROD)
    assert run("build").code == 0
    built = yaml.load(
        Path("overlays/prod/controllers/helmrelease-dra-driver-nvidia-gpu.yaml").read_bytes(), yaml.CSafeLoader
    )
    chart = built["spec"]["chart"]["spec"]
    assert (built["spec"]["releaseName"], built["spec"]["targetNamespace"]) == (name, name)
    assert (chart["chart"], chart["version"]) == (name, version)
    source = yaml.load(
        Path("overlays/prod/controllers/helmrepository-dra-driver-nvidia-gpu.yaml").read_bytes(), yaml.CSafeLoader
    )
    assert source["spec"]["url"] == "https://helm.ngc.nvidia.com/nvidia"
    upgrade = run("upgrade", "dra-driver-nvidia-gpu", "--cluster", "prod", "--dry-run").out
    assert f"Helm deletes release {name} of chart {name}" in upgrade
