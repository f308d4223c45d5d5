"""Numbers and prices at minimum and maximum replicas, as text."""

from fractions import Fraction

from gitgpu.simulate.forecast import HOURS, Level

ARROW = " -> "
SIGNS = ("..", ARROW)  # the separator of two values, and that if the second is smaller


def span(low: object, high: object, signs: tuple[str, str] = SIGNS, of: tuple[float | None, ...] = ()) -> str:
    """Two values, or one if they are equal; `of` are the numbers behind them if they are texts.

    If the second is smaller, they are not a range, and the second sign separates them.
    """
    if low == high:
        return str(high)
    rising, falling = signs
    numbers = [value for value in of or (low, high) if isinstance(value, (int, float))]
    return f"{low}{rising if numbers == sorted(numbers) else falling}{high}"


def hourly(level: Level) -> str:
    """The hourly price of a level, as text."""
    return money(level.price, level.maximum)


def monthly(level: Level) -> str:
    """The monthly price of a level, as text."""
    price = None if level.price is None else level.price * HOURS
    maximum = None if level.maximum is None else level.maximum * HOURS
    return money(price, maximum, digits=0)


def money(price: float | None, maximum: float | None, digits: int = 2) -> str:
    """An amount, its upper bound, or a question mark."""
    if price is not None:
        return f"{price:,.{digits}f}"
    return "?" if maximum is None else f"<={maximum:,.{digits}f}"


def gpu_span(low: Fraction, high: Fraction, signs: tuple[str, str] = SIGNS) -> str:
    """Two numbers of GPUs, or one if they are equal."""
    return span(_gpu_text(low), _gpu_text(high), signs, (float(low), float(high)))


def _gpu_text(amount: Fraction) -> str:
    """A number of GPUs, with up to two decimals: pods of several groups can share one."""
    return f"{float(amount):,.2f}".rstrip("0").rstrip(".")
