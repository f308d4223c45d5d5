"""What KEDA must be told of something in Azure that a workload scales on."""

from gitgpu.model.spec.scaling import Signal
from gitgpu.model.syntax.duration import seconds


def in_azure(signal: Signal) -> dict[str, str]:
    """What is told of a queue, a subscription or a metric: flat, and all of it text."""
    settings = dict(signal.settings)
    if signal.metric == "azureMonitor":
        _, _, subscription, _, group, _, *uri = settings.pop("resource").split("/")
        settings |= {"subscription": subscription, "group": group, "uri": "/".join(uri)}
    if window := settings.pop("window", None):
        settings["interval"] = _clock(seconds(window))
    if topic := settings.pop("topic", None):
        settings |= {"topic": topic["name"], "subscription": topic["subscription"]}
    return settings


def _clock(length: int) -> str:
    """As hours, minutes and seconds, which is how KEDA writes a length of time here."""
    minutes, rest = divmod(length, 60)
    hours, left = divmod(minutes, 60)
    return f"{hours:02}:{left:02}:{rest:02}"


def plain(number: float) -> str:
    """A number as text, whole numbers without a fraction."""
    return str(number).removesuffix(".0")
