"""Messages without what may be secret, and with the names of types that only look like it."""

from base64 import b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitgpu.inventory.secrets import _STATED, _TEXT, REDACTED, _may_have_secret, redact
from tests.helping.cases import for_each


@for_each(
    "text",
    [
        "DefaultAzureCredential: failed to acquire a token",
        "Attempted credentials:\n\tEnvironmentCredential: missing environment variable AZURE_TENANT_ID",
        "WorkloadIdentityCredential: no client ID specified. Check pod configuration",
        "AzureCLICredential: Azure CLI not found on path",
    ],
)
def test_names_of_identity_types_are_kept(text: str) -> None:
    assert redact(text) == text


@for_each(
    "text",
    [
        "ClientSecretCredential: Wk9a~77Qx",
        "ClientSecretCredential: wkqxz",
        "ClientSecretCredential=wkqxz for the app",
        "credential: wkqxz for the app",
        "credentials:\n\twkqxz for the app",
        "otherAzureCredential: wkqxz for the app",
        "DefaultAzureCredential: token: wkqxz for the app",
        "DefaultAzureCredential: failed to use password=wkqxz",
        "credential: clientSecret: wkqxz for the app",
    ],
)
def test_what_follows_another_name_is_not(text: str) -> None:
    shown = redact(text)
    assert REDACTED in shown
    assert "wkqxz" not in shown
    assert "77Qx" not in shown


NAMES = (
    "password", "passwd", "passphrase", "secret", "token", "sharedKey", "account_key", "kubeconfig", "credential",
    "credentials", "apiKey", "access-key", "PRIVATE_KEY", "connectionString", "connection-string", "to\u212Aen",
)  # fmt: skip


@for_each("name", NAMES)
def test_every_name_of_a_secret_is_recognised_in_a_message(name: str) -> None:
    assert redact(f"cannot connect with {name}=wkqxz to the host") == f"cannot connect with {REDACTED} to the host"


@pytest.mark.parametrize("scheme", ["Bearer", "basic"])
def test_credentials_of_a_request(scheme: str) -> None:
    assert redact(f"401 for {scheme} wkqxzwkqxz") == f"401 for {REDACTED}"


@for_each(
    "secret",
    [
        "hf_" + "a" * 34, "ghp_" + "a" * 36, "nvapi-" + "a" * 40, "redis://user:wkqxz@host", "AccountKey=abcd",
        "abc8Q~" + "a" * 34, "sk-proj-" + "a" * 40, "xoxb-" + "1" * 12, "hvs." + "a" * 24, "a/+" * 28 + "ab==",
        b64encode(b"-----BEGIN RSA PRIVATE KEY-----").decode(),
    ],
)  # fmt: skip
def test_a_form_of_a_secret_is_recognised_between_other_words(secret: str) -> None:
    assert redact(f"login failed {secret} at 10:00") == f"login failed {REDACTED} at 10:00"


@for_each(
    "text",
    [
        b64encode(b"-----BEGIN CERTIFICATE-----\n" + b"a" * 200).decode(),
        "disk-" + "a" * 40, "sha256:" + "a" * 64, "a/+" * 40 + "==", "a" * 20 + "==", "task-sk-short",
    ],
)  # fmt: skip
def test_a_text_that_only_resembles_a_secret_is_kept(text: str) -> None:
    assert redact(f"failed with {text} at 10:00") == f"failed with {text} at 10:00"


@given(st.from_regex(_TEXT) | st.from_regex(_STATED))
def test_what_the_patterns_find_has_a_sign(text: str) -> None:
    """So texts without a sign need not be compared with the patterns."""
    assert _may_have_secret(text)


def test_texts_without_a_sign_are_kept() -> None:
    assert not _may_have_secret("0/500 nodes are available: 500 Insufficient nvidia.com/gpu")
