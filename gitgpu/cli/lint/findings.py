"""`gitgpu lint` of files that have already been read."""

from collections.abc import Iterable, Sequence
from functools import cache, partial
from typing import NamedTuple

from gitgpu.cli.fixes import apply_fixes, keep
from gitgpu.cli.input.texts import by_name
from gitgpu.cli.lint.arguments import Arguments
from gitgpu.cli.lint.manifest_texts import ManifestTexts
from gitgpu.cli.manifests.inputs import Overrides, read_inputs
from gitgpu.cli.settings import Settings
from gitgpu.diagnostic import Diagnostic, in_order
from gitgpu.load.parse.quick import plain_text, restore
from gitgpu.load.text import Text
from gitgpu.objects.manifest.manifest_file import manifest_file
from gitgpu.objects.manifest.manifests import Manifests, read_manifests
from gitgpu.objects.objects import identity
from gitgpu.report.findings import Findings
from gitgpu.report.reference.faults import faults
from gitgpu.rule import AnyRule
from gitgpu.rules.kinds import Kind
from gitgpu.rules.object_findings import object_codes
from gitgpu.rules.object_rulebook import object_rules, rules_about
from gitgpu.runs.lint import CODES
from gitgpu.runs.lint_files import LintInputs, lint_files

_MAX_TEXTS, _MAX_CHARACTERS = 40, 10_000  # how many texts, and characters of each, are searched for kinds


@cache
def codes() -> frozenset[str]:
    """The codes that lint can report."""
    return object_codes().union(CODES, (fault.code for fault in faults() if fault.code.startswith("ADV")))


class Linted(NamedTuple):
    """What was found in manifests, and the manifests."""

    findings: Findings
    manifests: Manifests


def lint_texts(given: ManifestTexts, settings: Settings, arguments: Arguments) -> Linted:
    """The findings in the texts, after the fixes if they are written."""
    overrides = Overrides(*(getattr(arguments, field) for field in Overrides._fields))
    inputs, unread = read_inputs(settings, by_name(given.texts, given.named), overrides)
    inputs = inputs._replace(options=inputs.options._replace(on_count=given.on_count))
    if given.parsing.elsewhere:  # this process would only wait for the others; with 2,000 files, this saves 3%
        rules_about(kinds_of_some(given.texts))
    manifests = read_manifests(given.texts, inputs.options.named, given.parsing)
    faults = [*given.faults]
    if any(arguments.fixes):
        again = partial(read_manifests, named=inputs.options.named)
        fixable = {text.name for text in given.texts if not given.within or given.within.has(text.name)}
        result = apply_fixes(manifests.texts, lambda now: lint_files(again(now.values()), inputs)[0], fixable)
        kept = keep(result, manifests.texts, arguments.output_format, write=arguments.fixes.write)
        faults += kept.faults
        manifests = again(kept.texts.values()) if arguments.fixes.write else manifests
    return Linted(_findings(manifests, inputs, (*faults, *settings.faults, *unread)), manifests)


def kinds_of_some(texts: Sequence[Text]) -> frozenset[Kind]:
    """The kinds of the objects in the first of many texts."""
    kinds: set[Kind] = set()
    for text in texts[:: len(texts) // _MAX_TEXTS + 1]:
        beginning = text._replace(content=_beginning(text.content))
        read = manifest_file(beginning, restore(beginning, plain_text(beginning) or ()), named=False)
        kinds.update(identity(loaded.body)[:2] for loaded in read.objects)
    return frozenset(kinds)


def _beginning(content: str) -> str:
    """The first documents of a long text, or the whole text."""
    return content if len(content) < _MAX_CHARACTERS else content[: content.rfind("\n---\n", 0, _MAX_CHARACTERS) + 1]


def _findings(manifests: Manifests, inputs: LintInputs, faults: Iterable[Diagnostic]) -> Findings:
    diagnostics, linted = lint_files(manifests, inputs)
    texts = [*manifests.texts.values()]
    texts += [values.text for values in inputs.values]
    sources = {text.name: text.content for text in texts}
    return Findings(in_order((*diagnostics, *faults)), len(sources), linted.objects, sources, _rules, linted.skipped)


def _rules() -> dict[str, AnyRule]:
    return {rule.code: rule for rule in object_rules()}
