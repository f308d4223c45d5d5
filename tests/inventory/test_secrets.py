"""Messages without what may be secret, and with the names of types that only look like it."""

import pytest

from gitgpu.inventory.secrets import REDACTED, redact


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
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
