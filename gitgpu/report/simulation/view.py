"""What a report on a simulation shows in addition to the forecasts."""

from typing import NamedTuple


class View(NamedTuple):
    """What the user asked for: a grouping of the costs, such as label:team, and why a budget is exceeded.

    `today` is the date on which prices are judged to be old; "" if they are not.
    """

    group_by: str = ""
    over_budget: str = ""
    today: str = ""
