"""Trigger metadata for KEDA's Azure scalers."""

from gitgpu.model.spec.scaling import Signal
from gitgpu.model.syntax.duration import seconds


def in_azure(signal: Signal) -> dict[str, str]:
    """The settings of a queue, a topic or a metric as a flat mapping of texts."""
    settings = dict(signal.settings)
    if signal.metric == "azureMonitor":
        # /subscriptions/ID/resourceGroups/NAME/providers/..., and KEDA needs each part.
        _, _, subscription, _, group, _, *uri = settings.pop("resource").split("/")
        settings |= {"subscription": subscription, "group": group, "uri": "/".join(uri)}
    if window := settings.pop("window", None):
        settings["interval"] = _clock(seconds(window))
    if topic := settings.pop("topic", None):
        settings |= {"topic": topic["name"], "subscription": topic["subscription"]}
    return settings


def _clock(length: int) -> str:
    """A number of seconds as hh:mm:ss, the format of KEDA's azure-monitor scaler."""
    minutes, rest = divmod(length, 60)
    hours, left = divmod(minutes, 60)
    return f"{hours:02}:{left:02}:{rest:02}"


def plain(number: float) -> str:
    """A number as text, whole numbers without a fraction."""
    return str(number).removesuffix(".0")
