"""Write a starter fleet that builds."""

import os
from shlex import quote

import click

from gitgpu.cli.out import line, note
from gitgpu.load.read import data_text
from gitgpu.write.apply import create

MODELINE = "# yaml-language-server: $schema=.gitgpu/fleet.schema.json\n"
STARTER = (
    MODELINE
    + """\
# A fleet of one cluster with one pool of GPUs. `gitgpu build` turns it into overlays/.
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
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata:
  name: my-cluster
spec:
  region: swedencentral
  kubernetesVersion: "1.36"
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata:
  name: t4
spec:
  clusters: [my-cluster]
  sku: Standard_NC16as_T4_v3
  limits: {gpus: 2}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata:
  name: hello-gpu
  namespace: default
spec:
  pools: [t4]
  target: {kind: Deployment, name: hello-gpu}
"""
)
CONFIG = """\
# yaml-language-server: $schema=.gitgpu/config.schema.json
apiVersion: gitgpu.dev/v1alpha1
kind: Config
fleet: [fleet.yaml]
out: overlays
"""


@click.command("init", short_help=__doc__)
@click.argument("directory", default=".", metavar="[DIR]", type=click.Path(file_okay=False))
def COMMAND(directory: str) -> int:
    """Write a starter fleet into DIR (default: the current directory). Never replaces a file.

    \b
    gitgpu init gpu-fleet && cd gpu-fleet && gitgpu build
    """
    files = {
        "fleet.yaml": STARTER,
        ".gitgpu.yaml": CONFIG,
        ".gitgpu/fleet.schema.json": data_text("schemas/fleet.schema.json"),
        ".gitgpu/config.schema.json": data_text("schemas/config.schema.json"),
    }
    faults = create(directory, files)
    for fault in faults:
        line(f"gitgpu: {fault.span.file}: {fault.message}; {fault.help}")
    if faults:
        return 2
    for name in files:
        note(os.path.join(directory, name), err=False)
    note(f"Next: cd {quote(directory)} && gitgpu build")
    return 0
