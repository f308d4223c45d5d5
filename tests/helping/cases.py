"""One test for many small cases: as tests of their own, each would take pytest and its workers 2 ms and 5 KB."""

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from inspect import signature
from typing import Any, TypeAlias

import pytest

Test: TypeAlias = Callable[..., None]


def for_each(
    names: str | Sequence[str], cases: Iterable[Any], ids: Iterable[Any] | Callable[[Any], Any] | None = None
) -> Callable[[Test], Test]:
    """Runs a test for each case, with the parameters of `pytest.mark.parametrize`.

    A case that fails does not stop the others: the test reports all that failed, else one that was skipped. For small
    cases that need no fixture of their own and leave nothing behind.
    """
    is_single = isinstance(names, str) and "," not in names
    keys = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    rows = [(case,) if is_single else tuple(case) for case in cases]
    labels = [*map(_label, rows)] if callable(ids) or ids is None else [*map(str, ids)]

    def decorate(test: Test) -> Test:
        @wraps(test)
        def run(**others: Any) -> None:
            if not rows:
                pytest.skip("there are no cases")
            failures, skipped = list[BaseException](), None
            for label, row in zip(labels, rows, strict=True):
                try:
                    test(**others, **dict(zip(keys, row, strict=True)))
                except pytest.skip.Exception as skip:
                    skipped = skip
                except (Exception, pytest.fail.Exception) as failure:  # noqa: BLE001
                    failure.add_note(f"the case: {label}")
                    failures.append(failure)
            if failures:
                raise failures[0] if len(failures) == 1 else _together(failures, len(rows))
            if skipped:
                raise skipped

        own = signature(test)
        kept = [parameter for name, parameter in own.parameters.items() if name not in keys]
        vars(run)["__signature__"] = own.replace(parameters=kept)
        return run

    return decorate


def _label(row: tuple[Any, ...]) -> str:
    return ", ".join(map(repr, row))[:300]


def _together(failures: Sequence[BaseException], count: int) -> BaseException:
    return BaseExceptionGroup(f"{len(failures)} of {count} cases failed", failures)
