"""The configuration of a repository: .gitgpu.yaml in this directory or above, up to the root of the work tree."""

import json
from typing import NamedTuple

from gitgpu.diagnostic import Diagnostic
from gitgpu.load.catalog import Folder
from gitgpu.load.checker import compile_schema
from gitgpu.load.read import beside, data_text, exists, label, read_text, upwards
from gitgpu.load.text import fault
from gitgpu.load.words import explain_faults
from gitgpu.load.yaml import parse
from gitgpu.source import Span

FILE = ".gitgpu.yaml"
USUAL = ("fleet.yaml", "fleet")


class Config(NamedTuple):
    """Paths as seen from where we run. `fleet` is () when neither the file nor the usual places name a fleet."""

    fleet: tuple[str, ...] = ()
    out: str = "overlays"
    catalog: tuple[Folder, ...] = ()


def read_config() -> tuple[Config, list[Diagnostic]]:
    """The configuration that holds here; without a file, the usual places."""
    path = upwards(FILE)
    around = (beside(path or FILE, name) for name in USUAL)
    usual = tuple(name for name in around if exists(name))[:1]
    if path is None:
        return Config(usual), []
    text = read_text(path)
    if isinstance(text, Diagnostic):
        return Config(usual), [text]
    documents, faults = parse(text)
    if len(documents) != 1:
        remedy = "write one mapping with apiVersion and kind: Config"
        return Config(usual), faults or [fault("CFG001", "holds not one document", remedy, Span(path, 1, 1))]
    data, places = documents[0]
    schema = json.loads(data_text("schemas/config.schema.json"))
    if not compile_schema(schema)(data):
        wrong = explain_faults(schema, data)
        faults += [fault("CFG001", one.message, one.help, places.span(one.pointer, key=one.at_key)) for one in wrong]
    if faults:
        return Config(usual), faults
    return Config(
        tuple(beside(path, one) for one in data.get("fleet", ())) or usual,
        beside(path, data.get("out", "overlays")),
        tuple(Folder(beside(path, one), label(one)) for one in data.get("catalog", ())),
    ), []
