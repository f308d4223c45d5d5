"""One number for a workload on all clusters of a page: its letter and its colour come from it."""

from collections import Counter
from collections.abc import Sequence

from gitgpu.simulate.forecast import Forecast, Node, Share

_Name = tuple[str, str, str]


def renumber(forecasts: Sequence[Forecast]) -> list[Forecast]:
    """The same forecasts, where workloads of one kind, namespace and name have one number.

    The templates of one object, such as the head and the workers of a RayCluster, keep different numbers.
    """
    numbers: dict[tuple[_Name, int], int] = {}
    result: list[Forecast] = []
    for forecast in forecasts:
        new: dict[int, int] = {}
        templates: Counter[_Name] = Counter()
        verdicts = []
        for verdict in forecast.verdicts:
            if verdict.number is None:
                verdicts.append(verdict)
                continue
            name = (verdict.kind, verdict.namespace, verdict.name)
            templates[name] += 1
            number = numbers.setdefault((name, templates[name]), len(numbers))
            new[verdict.number] = number
            verdicts.append(verdict._replace(number=number))
        low, high = (tuple(_node(node, new) for node in nodes) for nodes in (forecast.low, forecast.high))
        result.append(forecast._replace(verdicts=tuple(verdicts), low=low, high=high))
    return result


def _node(node: Node, new: dict[int, int]) -> Node:
    shares = [Share(new[share.workload], share.pods, share.slots) for share in node.shares]
    return node._replace(shares=tuple(sorted(shares)))
