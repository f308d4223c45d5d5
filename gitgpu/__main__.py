"""`python -m gitgpu` is `gitgpu`."""

from gitgpu.cli.main import run

run()
