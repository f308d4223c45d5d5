"""Writes the fleet of an import."""

from collections.abc import Sequence

from gitgpu.adopt.overwritten import overwritten_values
from gitgpu.cli.fleets.findings import validate_fleet_texts
from gitgpu.cli.import_.arguments import DEFAULT_OUT, Arguments
from gitgpu.cli.import_.catalog_rows import catalog_for_rows
from gitgpu.cli.import_.inventory import Read
from gitgpu.cli.import_.report import exit_code, refuse, write_report
from gitgpu.cli.import_.unread_files import unread_files
from gitgpu.cli.output.outcome import COULD_NOT_RUN
from gitgpu.cli.output.progress import progress
from gitgpu.cli.output.refusal import refuse_files
from gitgpu.cli.output.streams import note
from gitgpu.cli.settings import Settings, fleet_settings
from gitgpu.load.read import exists, read_text
from gitgpu.load.spec.shape import API_VERSION, Document, shape
from gitgpu.load.spec.texts import read_spec
from gitgpu.load.text import Text
from gitgpu.report.terminal import printable
from gitgpu.runs.existing import documents_elsewhere
from gitgpu.runs.import_ import Imported, import_fleet
from gitgpu.runs.validate import CheckedFleet
from gitgpu.spelling import MAX_LISTED, comma_separated, count_text
from gitgpu.write.spec.apply import write_spec


def create(read: Read, arguments: Arguments) -> int:
    """Writes the fleet, or shows it with --dry-run. Returns the exit code."""
    folder = arguments.out or DEFAULT_OUT
    settings = fleet_settings((folder,))
    there = _existing_fleet(folder, settings)
    rows = catalog_for_rows(folder)
    with progress("importing") as line:
        options = read.options._replace(
            on_import=line.of("importing", "cluster"),
            on_compare=line.of("comparing", "cluster"),
            out=settings.target,
        )
        imported = import_fleet(read.inventory, options, rows.catalogs, folder, there)
    if imported.refusals:
        return refuse((*read.faults, *imported.refusals), arguments.output_format)
    before = _existing_documents(imported, folder)
    replaced = overwritten_values(before, imported.documents) if arguments.force else ()
    report = imported.report((*read.faults, *replaced, *unread_files(folder, imported.files)))
    added = rows.texts(imported.rows)
    report = report._replace(written=(*report.written, *added))
    if arguments.dry_run:
        texts = {f"{folder}/{path}": text for path, text in imported.files.items()} | added
        write_report(report._replace(texts=tuple(texts.items())), arguments)
        return exit_code(report)
    elsewhere = tuple(documents_elsewhere(imported.documents, there)) if there and not arguments.force else ()
    faults = elsewhere or write_spec(folder, imported.files, force=arguments.force) or rows.write(imported.rows)
    if faults:
        refuse_files(faults, arguments.output_format)
        return COULD_NOT_RUN
    write_report(report, arguments)
    changed_documents = [document for document in before if _is_changed(document, imported)]
    if changed_documents:
        names = comma_separated([f"{document.kind} {document.ref.name}" for document in changed_documents], MAX_LISTED)
        note(f"Replaced {count_text(len(changed_documents), 'document')}: {printable(names)}")
    if added:
        names = comma_separated([printable(path) for path in added], MAX_LISTED)
        note(f"Wrote versions that run and that gitgpu's catalog does not have: {names}")
    argument = "" if folder == DEFAULT_OUT else f" {folder}"
    note(f"Wrote {count_text(len(imported.files), 'file')} in {printable(folder)}. Next: gitgpu build{argument}")
    return exit_code(report)


def _existing_fleet(folder: str, settings: Settings) -> CheckedFleet | None:
    """The fleet in a directory, with its findings; None without one. Files that are not about a fleet are not read."""
    if not exists(folder):
        return None
    texts, _ = read_spec((folder,), settings.target)
    fleet = [text for text in texts if API_VERSION in text.content]
    return validate_fleet_texts(fleet, settings) if fleet else None


def _existing_documents(imported: Imported, folder: str) -> Sequence[Document]:
    """The documents in the files that the import replaces."""
    paths = [f"{folder}/{name}" for name in imported.files]
    texts = [read_text(path) for path in paths if exists(path)]
    before, _ = shape(text for text in texts if isinstance(text, Text))
    return before


def _is_changed(document: Document, imported: Imported) -> bool:
    """Whether the new file has another document in place of this one, or none."""
    file = document.places.span().file
    return all(new.data != document.data for new in imported.documents if new.places.span().file == file)
