"""The names of kustomizations. A separate module, so that `lint` can start parsing before it imports the others."""

import posixpath

FILES = ("kustomization.yaml", "kustomization.yml", "Kustomization")


def is_kustomization(file: str) -> bool:
    """Whether it is a file that Kustomize reads."""
    return file.endswith(FILES) and posixpath.basename(file) in FILES  # the first test is enough for most files
