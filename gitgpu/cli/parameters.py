"""The parameters of a command line as one typed value."""

from collections.abc import Callable, Sequence
from functools import wraps
from inspect import signature
from typing import TypeAlias, TypeVar

Value = TypeVar("Value")
Result = TypeVar("Result")
Callback: TypeAlias = Callable[..., object]  # what click calls with the parameters
Decorator: TypeAlias = Callable[[Callback], Callback]


def as_value(make: Callable[..., Value]) -> Callable[[Callable[[Value], Result]], Callable[..., Result]]:
    """Passes all parameters as the value that `make` makes of them, by their names."""

    def decorate(run: Callable[[Value], Result]) -> Callable[..., Result]:
        @wraps(run)
        def command(**parameters: object) -> Result:
            return run(make(**parameters))

        return command

    return decorate


def as_field(name: str, make: Callable[..., object], options: Sequence[Decorator]) -> Decorator:
    """Adds options, and passes what `make` makes of them, by their names, as one parameter."""

    def decorate(function: Callback) -> Callback:
        @wraps(function)
        def command(**parameters: object) -> object:
            own = {option: parameters.pop(option) for option in signature(make).parameters}
            return function(**{name: make(**own)}, **parameters)

        extended: Callback = command
        for option in reversed(options):  # as decorators apply, from the bottom up: --help lists them in this order
            extended = option(extended)
        return extended

    return decorate
