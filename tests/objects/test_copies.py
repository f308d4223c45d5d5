"""Copies of an object without faults are not checked again, unless anything else affects their result."""

from typing import Any

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.objects.delivery.images import Image
from gitgpu.objects.delivery.kustomize import Part
from gitgpu.objects.delivery.partial_files import Incomplete
from gitgpu.objects.grouping.copies import Checked, Copies, Terms
from gitgpu.objects.loaded import Loaded
from gitgpu.objects.objects import Given, Item, identity
from gitgpu.objects.schema.contract import Scope
from gitgpu.source import SourceMap, Span

BODY: dict[str, Any] = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}
WRONG = Diagnostic("CNF001", Severity.ERROR, "wrong", "write it", Span("a", 1, 1))
USUAL = (Part("a"), Terms("1.34"))


def loaded(file: str, body: dict[str, Any] = BODY) -> Loaded:
    """An object of a file."""
    return Loaded(body, SourceMap.of(Span(file, 1, 1)), file)


class Checks:
    """Checks copies of an object in several files, and records which files were checked."""

    def __init__(self, *files: Loaded, faults: tuple[Diagnostic, ...] = (), completed: str = "") -> None:
        objects = {each.file: [each] for each in files}
        self.copies = Copies(objects, Incomplete(frozenset(), frozenset({completed})))
        self.faults, self.files = faults, list[str]()

    def check(self, given: Loaded, part: Part = USUAL[0], terms: Terms = USUAL[1]) -> Checked:
        """The findings in one of the files."""
        return self.copies.check(given, part, terms, self._check)

    def _check(self, given: Loaded, part: Part, _: Terms) -> Checked:
        self.files.append(given.file)
        item = Item(Given(given.body, given.places, part.patch), identity(given.body), Scope.NAMESPACED)
        return item, [fault._replace(span=Span(given.file, 1, 1)) for fault in self.faults]


def test_a_copy_has_its_own_places_and_is_not_checked() -> None:
    checks = Checks(loaded("a"), loaded("b"))
    items = [item for item, _ in map(checks.check, (loaded("a"), loaded("b")))]
    assert [item.given.places.span().file for item in items if item] == ["a", "b"]
    assert checks.files == ["a"]


def test_each_copy_with_faults_is_checked() -> None:
    checks = Checks(loaded("a"), loaded("b"), faults=(WRONG,))
    faults = [fault.span.file for given in (loaded("a"), loaded("b")) for fault in checks.check(given)[1]]
    assert faults == checks.files == ["a", "b"]


def test_an_equal_object_with_separate_data_is_not_a_copy() -> None:
    checks = Checks(loaded("a"), loaded("b", dict(BODY)))
    checks.check(loaded("a"))
    checks.check(loaded("b", dict(BODY)))
    assert checks.files == ["a", "b"]


def test_an_object_that_differs_or_is_checked_differently_is_not_a_copy() -> None:
    files = ("a", "b", "newer", "c", "d", "patch.yaml", "completed")
    checks = Checks(*map(loaded, files), completed="completed")
    checks.check(loaded("a"))
    checks.check(loaded("b"), terms=Terms("1.33"))
    checks.check(loaded("newer"), terms=Terms("1.34", (("keda", ("2.21.0",)),)))
    checks.check(loaded("c"), Part("c", patch=True))
    checks.check(loaded("d"), Part("d", changes=(Image("x", "", "2", ""),)))
    checks.check(loaded("patch.yaml"))
    checks.check(loaded("completed"))
    assert checks.files == list(files)
