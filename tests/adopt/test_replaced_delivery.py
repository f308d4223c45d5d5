"""Objects of Flux and Argo CD with the name of one that the fleet writes, but for something else."""

from gitgpu.adopt.clusters import ClusterOptions
from gitgpu.runs.import_ import import_fleet
from tests.adopt.inventories import inventory
from tests.helping.cases import for_each
from tests.runs.test_import import POOL

OPTIONS = ClusterOptions(repository="https://github.com/contoso/gpus")
FLUX = """---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: %s, namespace: flux-system}
spec: {interval: 1m, prune: true, path: %s, sourceRef: {kind: GitRepository, name: %s}}
"""
REPOSITORY = """---
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: fleet, namespace: flux-system}
spec: {interval: 1m, url: "%s", ref: {branch: main}}
"""


@for_each(
    ("objects", "fields"),
    [
        (FLUX % ("fleet-nodes", "./vision/overlays/prod/nodes", "fleet"), ["spec.path"]),
        (FLUX % ("fleet-nodes", "overlays/prod/nodes/", "fleet"), []),
        (FLUX % ("fleet-nodes", "./overlays/prod/nodes", "other"), ["spec.sourceRef.name"]),
        (FLUX % ("other-nodes", "./vision/overlays/prod/nodes", "fleet"), []),
        (REPOSITORY % "https://github.com/contoso/vision", ["spec.url"]),
        (REPOSITORY % "https://github.com/contoso/gpus", []),
        ("", []),
    ],
    ids=["another path", "the same path", "another source", "another name", "another URL", "the same URL", "nothing"],
)
def test_what_the_fleet_would_replace(objects: str, fields: list[str]) -> None:
    made = import_fleet(inventory({"prod": POOL + objects}), OPTIONS, (), "fleet")
    found = [each for each in made.checked.diagnostics if each.code == "IMP021"]
    assert [each.message.partition(" with a different ")[2].partition(":")[0] for each in found] == fields
    assert all("on cluster prod with" in each.message for each in found)
