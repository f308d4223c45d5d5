"""The names of kustomizations. Apart from what reads them, so that `lint` can begin to parse before it is imported."""

import posixpath

FILES = ("kustomization.yaml", "kustomization.yml", "Kustomization")


def is_kustomization(file: str) -> bool:
    """Is it a file that Kustomize reads?"""
    return file.endswith(FILES) and posixpath.basename(file) in FILES  # the first test alone is enough for most files
