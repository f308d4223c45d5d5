"""--select and --ignore: which values are valid codes."""

import pytest

from tests.cli.conftest import Run
from tests.cli.fleets import SOUND, write


@pytest.mark.parametrize("text", ["12", "SKU0012", "sku-1", "FOUR001", "SKU001,?"])
def test_an_invalid_code_is_refused(run: Run, text: str) -> None:
    write(SOUND)
    done = run("validate", "--select", text)
    assert done.code == 2
    assert "is not a code or code prefix, such as SKU001 or SKU" in done.err


@pytest.mark.parametrize("text", ["SKU", "s", "sku001", " SKU001 , SCL ", "SKU0,,"])
def test_codes_and_prefixes_of_codes(run: Run, text: str) -> None:
    write(SOUND)
    assert run("validate", "--ignore", text).code == 0
