"""Which objects are omitted of a simulation because a value that Flux substitutes is unknown."""

from gitgpu.load.text import Text
from gitgpu.objects.grouping.applied_together import group_files
from gitgpu.objects.grouping.unsubstituted import substitute, unsubstituted_faults, waiting
from gitgpu.objects.manifest.manifests import read_manifests

OBJECT = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: 'gpu-${SIZE}', namespace: b}\n"
FLUX = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: gpu, namespace: flux-system}
spec: {interval: 1h, prune: true, path: ./apps, sourceRef: {kind: GitRepository, name: fleet}, postBuild: VALUES}
"""


def left(**files: str) -> list[str]:
    """The files with objects that are omitted."""
    names = {name.replace("_", "/") + ".yaml": text for name, text in files.items()}
    manifests = read_manifests([Text(name, text, name) for name, text in names.items()])
    assert len(waiting(manifests)) == sum("${" in text for text in files.values())
    return [fault.span.file for fault in unsubstituted_faults(manifests)]


def test_a_variable_of_the_kustomization_is_substituted() -> None:
    known = FLUX.replace("VALUES", "{substitute: {SIZE: '5'}}")
    assert left(apps_a=OBJECT, clusters_gpu=known) == []
    assert left(apps_a=OBJECT, other_b=OBJECT, clusters_gpu=known) == ["other/b.yaml"]
    assert left(apps_a=OBJECT.replace("${SIZE}", "5"), clusters_gpu=known) == []


def test_an_object_that_a_patch_deletes_is_not_omitted_because_of_a_value() -> None:
    patch = "patches: [{target: {kind: ConfigMap}, patch: '{kind: ConfigMap, $patch: delete}'}]"
    flux = FLUX.replace("VALUES", f"{{substitute: {{SIZE: '5'}}}}, {patch}")
    texts = {"apps/a.yaml": OBJECT, "clusters/gpu.yaml": flux}
    manifests = read_manifests([Text(name, text, name) for name, text in texts.items()])
    unfilled = waiting(manifests)
    [config_map] = manifests.files["apps/a.yaml"].objects
    [part] = (part for group in group_files(manifests).groups for part in group.parts if part.file == "apps/a.yaml")
    assert (list(unfilled), unsubstituted_faults(manifests)) == ([id(config_map)], [])
    assert substitute(config_map, part, unfilled) is None


def test_a_variable_from_an_absent_object_is_unknown() -> None:
    absent = FLUX.replace("VALUES", "{substituteFrom: [{kind: Secret, name: sizes}]}")
    assert left(apps_a=OBJECT, clusters_gpu=absent) == ["apps/a.yaml"]
