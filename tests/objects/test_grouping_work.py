"""The work to group files grows linearly with their number. Executed lines are counted, not seconds."""

from collections.abc import Callable

import pytest

from gitgpu.load.text import Text
from gitgpu.objects.grouping.applied_together import group_files
from gitgpu.objects.manifest.manifests import read_manifests
from tests.helping.work import lines

FEW, MANY = 20, 200
MOST = 12  # limit on the factor for ten times the files
FLUX = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: NAME, namespace: flux-system}
spec:
  path: PATH
  sourceRef: {kind: GitRepository, name: flux-system}
"""
CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: NAME}\n"
Files = dict[str, str]


def kustomization(name: str, path: str) -> str:
    """A Flux Kustomization."""
    return FLUX.replace("NAME", name).replace("PATH", path)


def clusters(number: int) -> Files:
    """Entry points in their own folders, each with a folder of objects, and a loose file next to each."""
    files = {}
    for at in range(number):
        files[f"clusters/c{at}/apps.yaml"] = kustomization(f"apps-{at}", f"./apps/c{at}")
        files[f"clusters/c{at}/beside/loose.yaml"] = CONFIG.replace("NAME", f"loose-{at}")
        files[f"apps/c{at}/config.yaml"] = CONFIG.replace("NAME", f"config-{at}")
    return files


def circles(number: int) -> Files:
    """Pairs of Kustomizations that apply each other."""
    files = {}
    for at in range(number):
        files[f"a{at}/next.yaml"] = kustomization(f"a-{at}", f"./b{at}")
        files[f"b{at}/next.yaml"] = kustomization(f"b-{at}", f"./a{at}")
    return files


def loose(number: int) -> Files:
    """Alternative definitions of an object in directories that nothing applies."""
    return {f"d{at}/config.yaml": f"{CONFIG.replace('NAME', 'same')}data: {{at: '{at}'}}\n" for at in range(number)}


def kustomized(number: int) -> Files:
    """Overlays, each over its own base."""
    files = {}
    for at in range(number):
        files[f"o{at}/kustomization.yaml"] = f"resources: [../b{at}]\n"
        files[f"b{at}/kustomization.yaml"] = "resources: [config.yaml]\n"
        files[f"b{at}/config.yaml"] = CONFIG.replace("NAME", f"config-{at}")
    return files


@pytest.mark.parametrize("made", [clusters, circles, loose, kustomized], ids=lambda made: made.__name__)
def test_ten_times_the_files_take_at_most_twelve_times_the_work(made: Callable[[int], Files]) -> None:
    few, many = _work(made(FEW)), _work(made(MANY))
    assert many <= MOST * few, f"{few} lines for {FEW}, {many} for {MANY}"


def _work(files: Files) -> int:
    sheets = read_manifests([Text(name, text, name) for name, text in files.items()])
    return lines(lambda: group_files(sheets))
