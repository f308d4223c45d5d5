"""The reference pages, generated from the program: `python -m tests.reference_pages --update` writes them."""

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from inspect import cleandoc
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from textwrap import shorten
from typing import Any

import click
import yaml

from gitgpu.check import fleet_rules
from gitgpu.cli.program import program
from gitgpu.conform import Norms, norms, object_rules
from gitgpu.conform.visibility import needed_visibility, visibility_text
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.load.read import data_text
from gitgpu.load.schemas import Schemas
from gitgpu.load.spec.shape import KINDS, fleet_schema
from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.size.availability import Sold
from gitgpu.model.sku import Sku
from gitgpu.report.reference.faults import Fault, faults
from gitgpu.report.reference.field import explain, facts
from gitgpu.report.reference.json_schemas import DOCUMENTS, EVERYTHING, document_schema
from gitgpu.report.reference.rules import in_a_line, markdown
from gitgpu.report.sizes import size
from tests.support import KINDS as SPELT
from tests.support import PLACES, SYSTEMS, Place, System, changes, findings, open_places, works

FOLDER = Path(__file__).parents[1] / "docs" / "reference"
NOTE = "<!-- Made by `python -m tests.reference_pages --update`. Do not edit. -->\n\n"
FACTS = ("TYPE", "DEFAULT", "ALLOWED", "EXAMPLE")
EXITS = {
    "0": "Success: no findings at the `--fail-on` severity, no drift.",
    "1": "Findings, drift or changes; for `explain`, `rule` and `sku`: unknown name.",
    "2": "Could not run: invalid command line, unreadable input (codes `INP`), nothing to build.",
    "130": "Interrupted.",
}
AROUND = """
## Environment

`NO_COLOR` (not empty) or `TERM=dumb`: no colour if `--color` is `auto`. `GITGPU_DEBUG` (not empty): show the traceback
of internal errors.
"""
_CONFLICTS = ("Software", "With", "Verdict", "Why")
_VERSIONS = """\
# Reference: versions

This page lists the versions of charts and images in the catalog. Use these names and versions in `stack.versions` of a
[Fleet or Cluster](spec.md). Software that is not listed there is installed in its newest version.

{known}
## Changes of version

Each row covers one direction only. The verdicts are:

- safe: works in place, without manual steps
- manual: works only with the actions listed
- blocked: cannot be done directly
- unknown: no source says; this does not mean safe
- unversioned: the versions cannot be compared; this does not mean safe

{steps}
## Incompatible and untested versions

Combinations that are not listed have no known problem. The verdicts are:

- excluded: upstream says that the combination does not work, or the software rejects it
- untested: upstream tests other versions, or does not mention these

gitgpu also checks the operating systems and Kubernetes versions that the GPU Operator is tested on.

{conflicts}"""
Schema = Mapping[str, Any]


def cell(text: object) -> str:
    """A text inside a table. Between backquotes, only a bar has to be escaped."""
    parts = re.split(r"(`[^`]*`)", str(text))
    escaped = (code(part[1:-1]) if part[:1] == "`" else re.sub(r"([\\|*<])", r"\\\1", part) for part in parts)
    return " ".join("".join(escaped).split())


def code(text: str) -> str:
    """A literal inside a table; the empty text stays empty."""
    return f"`{text.replace('|', chr(92) + '|')}`" if text else ""


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells that are already escaped."""
    return "".join(f"| {' | '.join(line)} |\n" for line in (head, ["---"] * len(head), *rows))


def spec() -> str:
    """Every key of the fleet documents and of the configuration."""
    root = fleet_schema()
    named = root["definitions"]
    kinds = {kind: named[name] for kind, name in KINDS.items()}
    shared = {name: part for name, part in named.items() if name not in KINDS.values() and "properties" in part}
    intro = (
        "# Reference: the spec\n\nThis page lists every key, as `gitgpu explain` shows it: the four kinds of "
        "documents, the parts that several keys share,\nand the file `.gitgpu.yaml`. Each document starts with "
        "`apiVersion: gitgpu.dev/v1alpha1` and its kind. A key that is not\nlisted is an error.\n\n"
    )
    config = json.loads(data_text("schemas/config.schema.json"))
    below = {name: part for name, part in config["definitions"].items() if "properties" in part}
    of_fleet = [_keys(name, part, root) for name, part in {**kinds, **shared}.items()]
    return intro + "\n".join([*of_fleet, *(_keys(*entry, config) for entry in {"Config": config, **below}.items())])


def _keys(title: str, part: Schema, root: Schema) -> str:
    head = ("Key", "Meaning", "Type", "Default", "Allowed", "Example")
    return f"## {title}\n\n{part['description']}\n\n" + table(head, _rows(part, "", root))


def _rows(part: Schema, above: str, root: Schema) -> Iterator[Sequence[str]]:
    for key, below in part["properties"].items():
        path = f"{above}{key}"
        explained = explain(path, facts(below, root, required=key in part.get("required", ()))).splitlines()
        explained_facts = dict(line.split(":", 1) for line in explained if line.split(":", 1)[0] in FACTS)
        kind, default, allowed, example = (explained_facts.get(fact, "").strip() for fact in FACTS)
        examples = ", ".join(map(code, example.split("; ")))
        yield code(path), cell(explained[1]) + _link(below, root), kind, code(default), cell(allowed), examples
        if "properties" in below:
            yield from _rows(below, f"{path}.", root)


def _link(part: Schema, root: Schema) -> str:
    name = part.get("$ref", part.get("items", {}).get("$ref", "")).removeprefix("#/definitions/")
    return f" Keys: [{name}](#{name.lower()})." if "properties" in root["definitions"].get(name, {}) else ""


def cli() -> str:
    """Every command with its options."""
    intro = (
        "# Reference: the command line\n\nThis page lists every command and option. Results go to stdout, messages to "
        "stderr. Every command has `-h`, `--help`.\n"
        "With `-o json`, a command prints one of the [JSON reports](reports.md), also when it fails.\n\n"
    )
    exits = "## Exit status\n\n" + table(("Status", "Meaning"), EXITS.items())
    return intro + "\n".join([*_commands(program(), "gitgpu"), exits]) + AROUND


def root() -> click.Context:
    """The context of the program. A command keeps its help option from the first context in which it is used."""
    return click.Context(program(), **program().context_settings)


def _commands(command: click.Command, name: str) -> Iterator[str]:
    if name != "gitgpu":
        yield _command(command, name)
    for word, below in sorted(getattr(command, "commands", {}).items()):
        yield from _commands(below, f"{name} {word}")


def _command(command: click.Command, name: str) -> str:
    context = click.Context(command, parent=root())
    usage = " ".join((name, *command.collect_usage_pieces(context)))
    prose, _, examples = cleandoc(command.help or "").partition("\b\n")
    rows = [_option(param, context) for param in command.params if isinstance(param, click.Option)]
    parts = [f"## {name}", f"```text\n{usage}\n```", prose.strip()]
    parts += [f"```sh\n{examples.strip()}\n```"] if examples else []
    parts += [table(("Option", "What it does", "Default"), rows).strip()] if rows else []
    return "\n\n".join(parts) + "\n"


def _option(option: click.Option, context: click.Context) -> Sequence[str]:
    names = ", ".join(option.opts) + ("" if option.is_flag else f" {option.make_metavar(context)}")
    return code(names), cell(option.help or ""), code(str(option.default) if option.show_default else "")


def reports() -> str:
    """Every document that `-o json` prints."""
    schema = document_schema(EVERYTHING)
    named = schema["definitions"]
    printed = [branch["$ref"].rpartition("/")[2] for branch in schema["oneOf"]]
    below = [name for name, part in named.items() if "properties" in part and name not in printed]
    commands = ((code(f"gitgpu schema {name}"), cell(document_schema(name)["description"])) for name in DOCUMENTS)
    intro = (
        "# Reference: JSON reports\n\nThis page lists every document that a command prints with `-o json`. "
        "`apiVersion` is `report.gitgpu.dev/v1`, and `kind` says\nwhich document it is. A command that cannot answer "
        "prints the Findings document on stdout, and its exit status is not 0.\nWithin a version, keys may be added; "
        "none is renamed or removed. The JSON Schemas are in\n[schemas/report.schema.json]"
        "(../../schemas/report.schema.json), and `gitgpu schema` prints them:\n\n"
    )
    tables = (_report(name, named) for name in (*printed, *below))
    return intro + table(("Command", "Schema of"), commands) + "\n" + "\n".join(tables)


def _report(name: str, named: Schema) -> str:
    title = named[name]["properties"].get("kind", {}).get("const", name)
    head = ("Key", "Meaning", "Type")
    return f"## {title}\n\n{cell(named[name]['description'])}\n\n" + table(head, _report_rows(named[name], "", named))


def _report_rows(part: Schema, above: str, named: Schema) -> Iterator[Sequence[str]]:
    for key, below in part["properties"].items():
        shape = _shape(below)
        optional = "" if key in part.get("required", ()) else " (optional)"
        yield code(f"{above}{key}"), cell(below["description"]), _report_type(below, named) + optional
        inner = shape if "properties" in shape else _shape(shape.get("items", {}))
        if "properties" in inner:
            yield from _report_rows(inner, f"{above}{key}." if inner is shape else f"{above}{key}[].", named)


def _shape(part: Schema) -> Schema:
    """A schema; of a schema that also allows null, the other alternative."""
    others = [option for option in part.get("oneOf", ()) if option.get("type") != "null"]
    return others[0] if len(others) == 1 else part


def _report_type(part: Schema, named: Schema) -> str:
    if "$ref" in part:
        name = part["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})" if "properties" in named[name] else _report_type(named[name], named)
    if "oneOf" in part:
        return " or ".join(_report_type(option, named) for option in part["oneOf"])
    if "const" in part or "enum" in part:
        return ", ".join(code(json.dumps(value).strip('"')) for value in part.get("enum", [part.get("const")]))
    if part.get("type") == "array":
        return f"list of {_report_type(part['items'], named)}"
    kinds = part.get("type", "any")
    return " or ".join(kinds) if isinstance(kinds, list) else str(kinds)


def rules_about_fleets() -> str:
    """Every rule about fleet specs."""
    intro = (
        "`gitgpu validate` and `gitgpu build` report these codes. Codes are permanent. For all other codes, see "
        "[faults](faults.md)."
    )
    head = ("Code", "Name", "Severity", "What it finds")
    listed = _by_subject(fleet_rules(), head, lambda rule: (rule.name, str(rule.severity), cell(in_a_line(rule))))
    return f"# Reference: rules about the fleet\n\n{intro}\n\n{listed}"


def rules_about_objects() -> str:
    """Every rule about Kubernetes objects."""
    intro = (
        "`gitgpu lint` reports these codes. `gitgpu build` also checks its own output against these rules. A finding "
        "there\ncomes from a value that the fleet passes on, such as a query or the containers of a Job, or it is a "
        "bug in gitgpu that\nyou should report. Codes are permanent.\n\nA rule needs to see one object, the objects of "
        "a cluster that were passed together, or the whole cluster. With\n`--whole-cluster`, the input is treated as "
        "the whole cluster. The column shows what the bad example of the rule needs."
    )
    head = ("Code", "Name", "Severity", "Needs to see", "What it finds")
    listed = _by_subject(
        object_rules(), head, lambda rule: (rule.name, str(rule.severity), sees(rule), cell(in_a_line(rule)))
    )
    return f"# Reference: rules about Kubernetes objects\n\n{intro}\n\n{listed}"


@cache
def _measure() -> Norms:
    return norms(Schemas(), Catalog(CatalogFiles()))


def sees(rule: Any) -> str:
    """How much of a cluster an object rule needs to see."""
    return visibility_text(needed_visibility(rule, _measure()))


def _by_subject(rules: Sequence[Any], head: Sequence[str], row: Callable[[Any], Sequence[str]]) -> str:
    """A heading and a table for each folder of rules. The heading is the first line of the folder's docstring."""
    folders: dict[str, list[Any]] = {}
    for rule in rules:
        folders.setdefault(rule.check.__module__.rpartition(".")[0], []).append(rule)
    parts = []
    for folder in sorted(folders):
        title = cleandoc(import_module(folder).__doc__ or "").splitlines()[0].removesuffix(".")
        rows = ((f"[{rule.code}]({rule_page(rule)})", *row(rule)) for rule in folders[folder])
        parts.append(f"## {title}\n\n{table(head, rows)}")
    return "\n".join(parts)


def findings_of_no_rule() -> str:
    """Every fault: codes that do not belong to a rule."""
    intro = (
        "# Reference: faults\n\n"
        "These codes are not a [rule about the fleet](fleet-rules.md) or a [rule about objects](object-rules.md). They "
        "are errors\nunless the summary says otherwise. A run reports all faults; documents with faults are skipped by "
        "later checks. See also\n[the spec](spec.md) and [your own catalog](../how-to/own-catalog.md).\n"
    )
    parts = (f"\n## {title}\n\n{_faults(list(group))}" for title, group in groupby(faults(), attrgetter("section")))
    return intro + "".join(parts)


def _faults(entries: Sequence[Fault]) -> str:
    rows = ((code(fault.code), cell(fault.summary), cell(fault.help)) for fault in entries)
    return table(("Code", "Meaning", "What to do"), rows)


def rule_page(rule: Any) -> str:
    """The page of a rule."""
    return f"rules/{rule.code}.md"


def _rule(rule: Any) -> str:
    needed = f"Needs to see: {sees(rule)}.\n\n" if rule in object_rules() else ""
    return f"# {rule.code} {rule.name}\n\n{needed}{markdown(rule)}"


def sizes() -> str:
    """Every size of the catalog."""
    skus = Catalog(CatalogFiles()).skus
    intro = (
        "# Reference: sizes\n\nThis page lists the Azure GPU sizes in the catalog. A dash means unknown. `gitgpu sku "
        "show` prints more, with sources.\n\n"
        "- Share: the fraction of a GPU that counts as one GPU; GPU GiB: the memory of a whole GPU\n"
        "- Driver: the driver that AKS installs; a dash can also mean that it installs none\n"
        "- Karpenter: offered; gpu-mode-none (only without the AKS driver); left-out (never started)\n\n"
    )
    head = ("Size", "GPU", "Count", "Share", "GPU GiB", "vCPU", "GiB", "Driver", "Karpenter", "Status")
    return intro + table(head, map(_size, skus))


def _size(sku: Sku) -> Sequence[str]:
    content = size(sku, None, None, Sold("", {}, {}))
    gpu, status = content["gpu"], " ".join(filter(None, content["lifecycle"].values()))
    facts = (*(gpu[key] for key in ("model", "count", "share", "memoryGiB")), content["vcpus"], content["memoryGiB"])
    shown = (*facts, content["driver"]["type"], sku.offer, status)
    return code(sku.name), *("-" if fact is None else cell(fact) for fact in shown)


def support() -> str:
    """What works where, found by building each combination."""
    intro = (
        "# Reference: what works where\n\nThis page shows which feature works where. Each cell is the result of a "
        "build "
        "of a fleet with one pool and one workload.\nOther fleets can break other [rules](fleet-rules.md).\n\n"
        "- works: gitgpu writes files, with a warning if there is a code\n"
        "- nothing: the setting is accepted but has no effect, as the warning says\n"
        "- refused: gitgpu writes no files; the code explains why and what to use instead\n"
        "- `nap`: node auto-provisioning (Karpenter); `cluster-autoscaler`: AKS node pools\n\n"
        "## Pools\n\n"
    )
    pools = ((code(place.provisioner), place.os, place.maker.upper(), _support("", place)) for place in PLACES)
    places = open_places()
    heads = (f"{code(place.provisioner)}, {place.os}, {place.maker.upper()}" for place in places)
    systems = []
    for name, system in SYSTEMS.items():
        systems.append((_asked(name, system), *(_support(name, place) for place in places)))
    below = table(("Feature", *heads), systems)
    return intro + table(("Provisioner", "Nodes", "GPUs", "Pool"), pools) + "\n## Features\n\n" + below


def _asked(name: str, system: System) -> str:
    phrases = (f"{SPELT[kind]} {code(_short(_flow(keys)[1:-1]))}" for kind, keys in system.ask.items())
    return f"[{name}](../how-to/{system.page}.md)<br>{', '.join(phrases)}"


def _flow(keys: Schema) -> str:
    written: str = yaml.safe_dump(keys, default_flow_style=True, sort_keys=False, width=1000)
    return written.strip()


def _short(keys: str) -> str:
    return shorten(keys, 110, placeholder=" ...", break_on_hyphens=False)


def _support(name: str, place: Place) -> str:
    """A cell with the result of the build of a system in a place."""
    reported, there = findings(name, place), works(name, place)
    word = "works" if there else "refused"
    if there and name and reported and not changes(name, place):
        word = "nothing"
    links = [
        f"[{rule_code}](rules/{rule_code}.md)"
        for rule_code, severity in sorted(reported.items())
        if there or severity == "error"
    ]
    return f"{word} {', '.join(links)}".strip()


def offered(catalog: Catalog) -> dict[str, list[str]]:
    """The versions that a stack can pin, newest first, by the name of a chart or image."""
    names = sorted({*catalog.names("charts"), *catalog.names("containers")})
    return {name: list(catalog.versions(name))[::-1] for name in names}


def versions() -> str:
    """Every version of a chart or image, what an upgrade needs, and which versions are not compatible."""
    catalog = Catalog(CatalogFiles())
    known = table(
        ("Software", "Versions"),
        ((code(name), ", ".join(map(code, names))) for name, names in offered(catalog).items()),
    )
    steps = "\n".join(f"### {name}\n\n{_steps(row)}" for name, row in catalog.rows("transitions").items())
    entries = ((name, entry) for name, row in catalog.rows("compatibility").items() for entry in row["rows"])
    return _VERSIONS.format(
        known=known, steps=steps, conflicts=table(_CONFLICTS, (_conflict(*entry) for entry in entries))
    )


def _steps(row: Facts) -> str:
    return table(
        ("From", "To", "Verdict", "What happens"),
        ([code(step["from"]), code(step["to"]), step["verdict"], _step(step)] for step in row["steps"]),
    )


def _step(step: Facts) -> str:
    crds = f"`helm upgrade` does not apply: {', '.join(map(code, step.get('crds', ())))}."
    sentences = [step["why"], *(f"To do: {action}" for action in step.get("actions", ())), step.get("evicts", "")]
    sentences += [f"[Changed]({change['source']}): {change['change']}" for change in step.get("breaking", ())]
    sentences += [crds if "crds" in step else "", *map(_case, step.get("cases", ()))]
    return "<br>".join(cell(f"{sentence.removesuffix('.')}.") for sentence in sentences if sentence)


def _case(case: Facts) -> str:
    """What differs if the release of a chart has certain values."""
    values = " and ".join(f"{code(each['value'])} is {code(str(each['is']).lower())}" for each in case["when"])
    verdict = f"{case['verdict']}. {case['why']}" if "verdict" in case else ""
    actions = " ".join(case.get("actions", ())) or "nothing"
    return f"If {values}: {verdict} To do: {actions}".replace(":  ", ": ")


def _conflict(name: str, entry: Facts) -> Sequence[str]:
    pair = (f"{code(name)} {code(entry['versions'])}", f"{code(entry['with'])} {code(entry['range'])}")
    return *pair, entry["verdict"], f"{cell(entry['why'])} [Source]({entry['source']})"


PAGES: Mapping[str, Callable[[], str]] = {
    "cli.md": cli,
    "faults.md": findings_of_no_rule,
    "fleet-rules.md": rules_about_fleets,
    "object-rules.md": rules_about_objects,
    "reports.md": reports,
    "sizes.md": sizes,
    "spec.md": spec,
    "support.md": support,
    "versions.md": versions,
    **{rule_page(rule): partial(_rule, rule) for rule in (*fleet_rules(), *object_rules())},
}


def left_over() -> list[Path]:
    """Generated pages whose subject no longer exists."""
    every = FOLDER.rglob("*.md")
    return sorted(
        path for path in every if path.read_text(encoding="utf-8").startswith(NOTE) and _name(path) not in PAGES
    )


def _name(page: Path) -> str:
    return page.relative_to(FOLDER).as_posix()


def main(arguments: Sequence[str]) -> int:
    """With --update, writes the pages and removes those left over. Without, returns 1 if this would change a file."""
    texts = {FOLDER / name: NOTE + page() for name, page in PAGES.items()}
    stale = [path for path, text in texts.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    gone = left_over()
    for path in (*stale, *gone):
        print(_name(path))
    if "--update" not in arguments:
        return int(bool(stale or gone))
    for path in stale:
        path.parent.mkdir(exist_ok=True)
        path.write_text(texts[path], encoding="utf-8", newline="\n")
    for path in gone:
        path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
