"""The first half of the compiler: texts to a linked fleet that has been checked. Nothing here emits anything."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gitgpu.check import check
from gitgpu.diagnostic import Diagnostic
from gitgpu.load.catalog import Folder
from gitgpu.load.delivery_path import contradictions, with_delivery_path
from gitgpu.load.out_directory import OutDirectory
from gitgpu.load.shape import shape
from gitgpu.load.spec_texts import read_spec
from gitgpu.load.text import Text
from gitgpu.model.catalog import catalog
from gitgpu.model.inputs import Inputs
from gitgpu.model.link import link


class Checked(NamedTuple):
    """The texts that were read, the linked fleet (None without a sound head), every finding, how many documents.

    `allowed` are the errors that are not among the findings, because the user allowed or ignored them.
    """

    texts: tuple[Text, ...]
    inputs: Inputs | None
    diagnostics: tuple[Diagnostic, ...]
    objects: int
    allowed: tuple[Diagnostic, ...] = ()


def not_allowed(checked: Checked, error: Exception) -> tuple[Diagnostic, ...]:
    """What a step that failed for an allowed error means: ALW004 at each. Raises the error where none was allowed."""
    if not checked.allowed:
        raise error
    which = "this error is" if len(checked.allowed) == 1 else f"these {len(checked.allowed)} errors are"
    return tuple(
        finding._replace(
            code="ALW004",
            message=f"the fleet cannot be compiled while {which} allowed: {finding.code}, {finding.message}",
            help=f"{finding.help}, and remove the suppression",
        )
        for finding in checked.allowed
    )


def validate(
    paths: Iterable[str],
    catalogs: tuple[Folder, ...] = (),
    today: str = "",
    out: OutDirectory = OutDirectory(),  # noqa: B008  a frozen value
) -> Checked:
    """Is this fleet sound? Reads, links and checks; with a day, announced dates count as past once it is over them."""
    texts, unread = read_spec(tuple(paths), out)
    checked = validated(texts, catalogs, today, out)
    return checked._replace(diagnostics=(*unread, *checked.diagnostics))


def validated(
    texts: Sequence[Text],
    catalogs: tuple[Folder, ...] = (),
    today: str = "",
    out: OutDirectory = OutDirectory(),  # noqa: B008  a frozen value
) -> Checked:
    """Is the fleet of these texts sound?"""
    documents, misshapen = shape(texts)
    known = catalog(catalogs)
    inputs, unlinked = link(with_delivery_path(documents, out), known, today)
    faults = [*misshapen, *contradictions(documents, out), *unlinked]
    if (
        inputs
        and not known.files.faults
        and all(document.sound for document in documents if document.kind == "Cluster")
    ):
        faults += check(inputs, {fault.object for fault in unlinked})
    return Checked(tuple(texts), inputs, (*faults, *known.files.faults), len(documents))
