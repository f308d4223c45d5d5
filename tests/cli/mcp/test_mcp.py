"""The command line of `gitgpu mcp`."""

import subprocess
import sys

from tests.cli.conftest import Run

WITHOUT = "import sys; sys.modules['mcp'] = None; from gitgpu.cli.main import main; sys.exit(main(['mcp']))"


def test_without_the_sdk_the_error_says_how_to_install_it() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False)
    message = "Error: gitgpu mcp needs the Python SDK of the protocol: pip install 'gitgpu[mcp]'\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", message)


def test_a_directory_that_does_not_exist_is_an_error(run: Run) -> None:
    result = run("mcp", "absent")
    assert result.code == 2
    assert "absent' is not a directory" in result.err
