"""Two fleets in one repository whose objects of Flux or Argo CD have the same names on a cluster."""

from pathlib import Path

import pytest

from tests.cli.conftest import Run

SPEC = """apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {{name: {fleet}}}
spec: {{delivery: {{engine: {engine}, repository: "https://github.com/contoso/gpus"}}}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {{name: {cluster}}}
spec: {{region: swedencentral, kubernetesVersion: "1.35"}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {{name: {pool}}}
spec: {{clusters: [{cluster}], sku: Standard_NC24ads_A100_v4, limits: {{gpus: 4}}}}
"""


CONFIGURATION = "apiVersion: gitgpu.dev/v1alpha1\nkind: Config\nfleet: [fleet.yaml]\n"


def write(run: Run, folder: str, **names: str) -> None:
    """A fleet with its overlays, in a directory."""
    Path(folder).mkdir()
    Path(f"{folder}/.gitgpu.yaml").write_text(CONFIGURATION, encoding="utf-8")
    values = {"fleet": "fleet", "cluster": "prod", "pool": folder, "engine": "flux", **names}
    Path(f"{folder}/fleet.yaml").write_text(SPEC.format(**values), encoding="utf-8")
    assert run("-C", folder, "build").code == 0


@pytest.mark.parametrize("engine", ["flux", "argocd"])
@pytest.mark.parametrize(
    ("names", "warned"),
    [({}, True), ({"fleet": "render"}, False), ({"cluster": "lab"}, False)],
    ids=["the same names", "another fleet", "another cluster"],
)
def test_two_fleets(run: Run, engine: str, names: dict[str, str], *, warned: bool) -> None:
    write(run, "vision", engine=engine)
    write(run, "render", engine=engine, **names)
    ran = run("lint", ".", "--fail-on", "never")
    assert ("warning[LNT016] another fleet writes" in ran.out) is warned
    if warned:
        assert "of cluster prod too: render/overlays/prod/sync/" in ran.out
        assert ran.out.count("LNT016") == 1


def test_fleets_in_two_arguments(run: Run) -> None:
    """Each argument has a configuration of its own, which decides whether the finding about its files is reported."""
    write(run, "vision")
    write(run, "render")
    ran = run("lint", "vision", "render", "--fail-on", "never")
    assert ran.out.count("LNT016") == 1
    assert "of cluster prod too: render/overlays/prod/sync/" in ran.out
    assert run("lint", "vision", "render", "--fail-on", "warning").code == 1
    ignoring = CONFIGURATION + "ignore: [LNT016]\n"
    Path("render/.gitgpu.yaml").write_text(ignoring, encoding="utf-8")
    assert "LNT016" in run("lint", "vision", "render", "--fail-on", "never").out
    Path("vision/.gitgpu.yaml").write_text(ignoring, encoding="utf-8")
    assert "LNT016" not in run("lint", "vision", "render", "--fail-on", "never").out


def test_only_files_of_the_filter(run: Run) -> None:
    write(run, "vision")
    write(run, "render")
    assert "LNT016" not in run("lint", "--filter", "render/overlays", "vision/fleet.yaml", "--fail-on", "never").out
    assert "LNT016" in run("lint", "--filter", "vision/overlays", "render/fleet.yaml", "--fail-on", "never").out
