"""Kustomizations that lead back to themselves."""

from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text
from gitgpu.objects.delivery.kustomization_cycles import cycles
from gitgpu.objects.delivery.kustomize import Kustomization, kustomization
from tests.helping.cases import for_each


def read(files: dict[str, str]) -> dict[str, Kustomization]:
    """The kustomizations of some texts, by file."""
    found = {}
    for name, content in files.items():
        ((document, *_), _) = parse(Text(name, content, name))
        found[name] = kustomization(name, document.data, document.places)
    return found


@for_each("entry", [".", "./", "../a", "kustomization.yaml", "./kustomization.yaml"])
def test_a_kustomization_cannot_list_itself(entry: str) -> None:
    (fault,) = cycles(read({"a/kustomization.yaml": f"resources: [pool.yaml, {entry}]\n"}))
    assert (fault.code, fault.severity.value, fault.span.line) == ("LNT004", "error", 1)
    assert fault.message.endswith("the kustomization includes itself")


def test_a_cycle_is_reported_once() -> None:
    files = {"a": "../b", "b": "../c", "c": "../a", "outside": "../a"}
    written = {f"{name}/kustomization.yaml": f"resources: [{path}]\n" for name, path in files.items()}
    (fault,) = cycles(read(written))
    assert fault.message == "b: the kustomization includes itself, through b/kustomization.yaml"


def test_shared_bases_are_no_cycle() -> None:
    written = {
        "base/kustomization.yaml": "resources: [pool.yaml]\n",
        "a/kustomization.yaml": "resources: [../base]\n",
        "b/kustomization.yaml": "resources: [../base, ../a]\npatches: [{path: kustomization.yaml}]\n",
    }
    assert list(cycles(read(written))) == []
