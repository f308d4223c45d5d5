"""Kustomizations that include themselves, directly or through others."""

from collections.abc import Iterator, Mapping

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.objects.delivery.kustomize import Kustomization, Use, below


def cycles(kustomizations: Mapping[str, Kustomization]) -> Iterator[Diagnostic]:
    """The faults about entries that lead back to their own kustomization, one for each cycle: kustomize rejects it."""
    reported: set[str] = set()
    for file, kustomization in sorted(kustomizations.items()):
        for use in kustomization.uses:
            target = None if use.patch else _target(use, kustomizations)
            around = _reached(target, kustomizations) if target else {}
            if file in around and file not in reported:
                reported.update(name for name in around if file in _reached(kustomizations[name], kustomizations))
                message = f"{use.path}: the kustomization includes itself"
                if target and target.file != file:
                    message += f", through {target.file}"
                remedy = "remove the entry, or correct its path: kustomize build fails"
                span = kustomization.places.span(use.pointer)
                yield Diagnostic("LNT004", Severity.ERROR, message, remedy, span)


def _reached(start: Kustomization, kustomizations: Mapping[str, Kustomization]) -> dict[str, None]:
    """A kustomization and all that it includes, by file."""
    reached: dict[str, None] = {}
    waiting = [start]
    while waiting:
        current = waiting.pop()
        if current.file not in reached:
            reached[current.file] = None
            targets = (_target(use, kustomizations) for use in current.uses if not use.patch)
            waiting += filter(None, targets)
    return reached


def _target(use: Use, kustomizations: Mapping[str, Kustomization]) -> Kustomization | None:
    """The kustomization that an entry names, by its directory or by its own file."""
    return below(use.path, kustomizations) or kustomizations.get(use.path)
