"""Values that may be secret. They are omitted from the inventory, wherever they are.

A key is recognised by its last word (`adminPassword`, `client_secret`), unless it refers to a secret
(`passwordSecretName`, `tokenFromEnv`). A text is recognised by its form, such as a connection string or a PEM key.
"""

import re
from functools import lru_cache
from typing import Any

from gitgpu.access import children
from gitgpu.diagnostic import Places
from gitgpu.inventory.observed import Skipped
from gitgpu.source import Pointer, pointer_text

# Names that end in such a word. `secretName` and `tokenPath` only name a secret, and are read.
_OWNERS = ("shared", "account", "api", "access", "private", "encryption", "signing", "license")  # with the word key
_WORDS = (
    "password", "passwd", "passphrase", "_pass", "secret", "token", "kubeconfig", "credential", "credentials",
    "customauthvalue", "customheaders", "dockerconfigjson",
    *(f"{owner}{dash}key" for owner in _OWNERS for dash in ("", "_", "-")),
    *(f"connection{dash}string{s}" for dash in ("", "_", "-") for s in ("", "s")),
)  # fmt: skip
# Private keys, connection strings, URLs with a password, a token or a signature, JSON Web Tokens; tokens of GitHub,
# GitLab, Hugging Face, NVIDIA, OpenAI, Slack and Vault; secrets of Entra ID and keys of storage accounts. Base64 of
# PEM that is not a certificate is a key.
_TEXT = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY|\b(?:AccountKey|SharedAccessKey|SharedAccessSignature|Password|Pwd)=[^;\s]{4}"
    r"|://[^/\s:@]*:[^/\s@]+@|://[\w-]{30,}@|[?&](?:sig|token|api_?key|access_token|client_secret|password)=[^&\s]{4}"
    r"|\beyJ[\w-]{20,}\.[\w-]{10,}\.|\bgh[pousr]_\w{30,}|\bgithub_pat_\w{30,}|\bglpat-[\w-]{16,}"
    r"|\bhf_[A-Za-z]{30,}|\bnvapi-[\w-]{30,}|\bsk-[\w-]{32,}|\bxox[abeprs]-[\w-]{10,}|\bhvs\.[\w-]{24,}"
    r"|\b[\w~.-]{3}[0-9]Q~[\w~.-]{31,34}(?![\w~.-])|(?<![\w+/])[\w+/]{86}==|\bLS0tLS1CRUdJTi(?!BDRVJU)[\w+/=]{8}"
)
# Types of sdk/azidentity in azure-sdk-for-go (0a5bddd). Its errors name them: `DefaultAzureCredential: failed to ...`.
_IDENTITY = (
    r"\b(?:Default(?:Azure|Token)|ChainedToken|Environment|(?:Workload|Managed)Identity|Azure(?:CLI|DeveloperCLI|Pipelines"
    r"|PowerShell)|Client(?:Assertion|Certificate|Secret)|DeviceCode|InteractiveBrowser|OnBehalfOf|UsernamePassword)"
    r"Credential(?=:\s+[A-Z]?[a-z]+ [A-Za-z])"
)
_NAMED = rf"(?:{'|'.join(map(re.escape, _WORDS))})['\"]?\s*[=:]\s*['\"]?"
# In a message: `password=...`, `"token": "..."`, `Bearer ...`. What is `kept` only names a type.
_STATED = re.compile(
    rf"(?P<kept>(?-i:{_IDENTITY}|\bcredentials:(?=\s+{_IDENTITY})))"
    rf"|{_NAMED}(?:[\w.-]*{_NAMED})*[^\s'\",;]+|\b(?:bearer|basic)\s+[\w+/=.-]{{8,}}",
    re.IGNORECASE,
)
# What either pattern finds contains one of these in lower case. Most texts have none, and to look for them is faster.
_SIGN = re.compile(
    "pass|secret|token|key|kubeconfig|credential|connection|bearer|basic|signature|pwd=|sig=|://|eyj|gh[pousr]_"
    "|github_pat_|glpat-|hf_|nvapi-|sk-|xox|hvs\\.|q~|==|ls0tls1crudjti"
)
REDACTED = "[redacted]"


def without_secrets(value: Any, name: str, places: Places, above: Pointer = ()) -> tuple[Any, tuple[Skipped, ...]]:
    """A value of the object with this name, without values that may be secret; and what was omitted.

    `above` is the pointer to the value in the object, and `places` are the places of the object.
    """
    secrets = secret_places(value)
    skipped = []
    for place in secrets:
        whole = (*above, *place)
        title = f"{name}: {pointer_text(whole)}"
        skipped.append(Skipped(title, places.span(whole), "may be a secret, so it was not read"))
    return without(value, secrets), tuple(skipped)


def secret_places(value: Any, above: Pointer = ()) -> list[Pointer]:
    """The places of values that may be secret."""
    places: list[Pointer] = []
    named = value.get("name") if isinstance(value, dict) else None  # an environment variable: {name: ..., value: ...}
    for key, item in children(value):
        if isinstance(item, str):
            title = named if key == "value" and isinstance(named, str) else str(key)
            if item and (_is_owner(title) or _is_secret(item)):
                places.append((*above, key))
        elif isinstance(item, dict | list) and item:
            places += secret_places(item, (*above, key))
    return places


@lru_cache(maxsize=4096)  # objects of a kind have the same keys
def _is_owner(title: str) -> bool:
    return title.lower().endswith(_WORDS)


@lru_cache(maxsize=4096)  # and many of the same values
def _is_secret(text: str) -> bool:
    return _may_have_secret(text) and _TEXT.search(text) is not None


def without(value: Any, places: list[Pointer]) -> Any:
    """A copy of a value without the values at some places; None if that is the value itself.

    A value that does not have one of the places, such as a text, is omitted as a whole. An entry of a list is replaced
    with an empty text, so that the others keep their places.
    """
    if not places:
        return value
    if not all(_may_have(value, place) for place in places):
        return None
    below: dict[Any, list[Pointer]] = {}
    for key, *rest in places:
        below.setdefault(key, []).append(tuple(rest))
    left = {key: without(item, below.get(key, [])) for key, item in children(value)}
    removed = {key for key, item in children(value) if left[key] is None and item is not None}
    if isinstance(value, list):
        return ["" if index in removed else item for index, item in left.items()]
    return {key: item for key, item in left.items() if key not in removed}


def _may_have(value: Any, place: Pointer) -> bool:
    """Whether the place is inside the value, if it exists."""
    if isinstance(value, dict):
        return place != ()
    return isinstance(value, list) and isinstance(next(iter(place), None), int)


@lru_cache(maxsize=4096)  # events repeat their messages
def redact(text: str) -> str:
    """A message without what may be secret: tokens, connection strings, `password=...`."""
    if not _may_have_secret(text):
        return text
    if "PRIVATE KEY" in text:
        return REDACTED
    text = _STATED.sub(lambda found: found["kept"] or REDACTED, text)
    if not _TEXT.search(text):  # faster than each word, and most messages have none
        return text
    return " ".join(REDACTED if _TEXT.search(word) else word for word in text.split(" "))


def _may_have_secret(text: str) -> bool:
    """Whether a text has a sign of a secret. The patterns compare other letters than ASCII in their own way."""
    return _SIGN.search(text.lower()) is not None or not text.isascii()
