"""Write a starter fleet that builds."""

import os
from shlex import quote

import click

from gitgpu.cli.global_options import start_directory
from gitgpu.cli.output.outcome import COULD_NOT_RUN
from gitgpu.cli.output.streams import line, note, say
from gitgpu.load.read import data_text, read_bytes, read_text
from gitgpu.load.text import Text
from gitgpu.report.terminal import printable
from gitgpu.write.apply import conflicts, create
from gitgpu.write.git_attributes import NAME as GIT_ATTRIBUTES
from gitgpu.write.git_attributes import attributes, extend

FLEET_SCHEMA, CONFIG_SCHEMA = ".gitgpu/fleet.schema.json", ".gitgpu/config.schema.json"
MODELINE = f"# yaml-language-server: $schema={FLEET_SCHEMA}\n"  # applies to one document, so each has it
STARTER = f"""\
{MODELINE}# A fleet with one cluster and one GPU pool. `gitgpu build` turns it into overlays/.
# `gitgpu explain GpuPool.spec` lists all keys; `gitgpu sku list` shows the sizes.
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata:
  name: my-fleet
spec:
  delivery:
    engine: flux
    repository: https://github.com/example/gpu-fleet
---
{MODELINE}apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata:
  name: my-cluster
spec:
  region: swedencentral
  kubernetesVersion: "1.36"
---
{MODELINE}apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata:
  name: t4
spec:
  clusters: [my-cluster]
  sku: Standard_NC16as_T4_v3
  limits: {{gpus: 2}}
---
{MODELINE}apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata:
  name: hello-gpu
  namespace: default
spec:
  pools: [t4]
  target: {{kind: Deployment, name: hello-gpu}}
"""
CONFIG = f"""\
# yaml-language-server: $schema={CONFIG_SCHEMA}
apiVersion: gitgpu.dev/v1alpha1
kind: Config
fleet: [fleet.yaml]
out: overlays
"""
SETTINGS = ".vscode/settings.json"
YAML_SCHEMAS = f"""\
  "yaml.schemas": {{
    "{FLEET_SCHEMA}": ["fleet.yaml", "fleet/**/*.yaml", "fleet/**/*.yml"],
    "{CONFIG_SCHEMA}": ".gitgpu.yaml"
  }}
"""


@click.command("init", short_help=__doc__)
@click.argument("directory", default=".", metavar="[DIR]", type=click.Path(file_okay=False))
def COMMAND(directory: str) -> int:
    """Write a starter fleet into DIR (default: the current directory). Never replaces a file.

    \b
    gitgpu init gpu-fleet && cd gpu-fleet && gitgpu build
    """
    advice = _advice(os.path.join(directory, SETTINGS))
    attributed = os.path.lexists(os.path.join(directory, GIT_ATTRIBUTES))
    files = _files(has_settings=advice is not None, has_attributes=attributed)
    # Before the files: if the program is killed, the next run must not take the directory for a finished one.
    if attributed and not conflicts(directory, files):
        _extend(os.path.join(directory, GIT_ATTRIBUTES))
    faults = create(directory, files)
    for fault in faults:
        line(f"gitgpu: {fault.span.file}: {fault.message}; {fault.help}")
    if faults:
        return COULD_NOT_RUN
    for name in files:
        note(os.path.join(directory, name), err=False)
    say(advice or "", err=True)
    note(_next(directory))
    return 0


def _next(directory: str) -> str:
    """The next command, in the directory in which the program was started."""
    start = start_directory()
    if os.path.realpath(directory) == os.path.realpath(start or "."):
        return "Next: gitgpu build"
    folder = os.path.relpath(directory, start) if start else directory
    return f"Next: cd {quote(folder)} && gitgpu build"


def _files(*, has_settings: bool, has_attributes: bool) -> dict[str, str]:
    """The files of a starter fleet by name, without editor settings and Git attributes that already exist."""
    files = {
        "fleet.yaml": STARTER,
        ".gitgpu.yaml": CONFIG,
        FLEET_SCHEMA: data_text("schemas/fleet.schema.json"),
        CONFIG_SCHEMA: data_text("schemas/config.schema.json"),
    }
    if not has_settings:
        files[SETTINGS] = f"{{\n{YAML_SCHEMAS}}}\n"
    if not has_attributes:
        files[GIT_ATTRIBUTES] = attributes()
    return files


def _extend(path: str) -> None:
    """Adds to an existing .gitattributes, or prints what to add."""
    try:
        added = extend(path, read_bytes(path))
        if added:
            note(f"{printable(path)}: added {added.count(chr(10)) - 1} lines; nothing else was changed")
    except OSError as error:
        head = f"{printable(path)} was not changed ({error.strerror}). For reviews and merges, add to it:\n"
        say(head + attributes(), err=True)


def _advice(path: str) -> str | None:
    """What to add to existing editor settings; "" if they are complete, None if there are none.

    Existing settings are never changed, to keep their comments and order.
    """
    if not os.path.lexists(path):
        return None
    text = read_text(path)
    if isinstance(text, Text) and FLEET_SCHEMA in text.content and CONFIG_SCHEMA in text.content:
        return ""
    head = f"{printable(path)} exists and was not changed. To complete and check every document, add to it:\n"
    return head + YAML_SCHEMAS
