"""`gitgpu` for scripts that run it often: one process imports the program, and forks a child for each run.

A script finds it on its PATH, and it behaves like the installed program: arguments, directory, environment, standard
streams and exit status are those of the script. Only the start of Python and the imports, which take longer than most
runs, are not repeated.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
SERVER = """
import json, os, signal, socket, sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from gitgpu.cli.main import main, run

os.chdir(sys.argv[2])
with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
    for words in (["init"], ["build"], ["plan", "--against", "overlays"], ["lint", "overlays"]):
        main(words)  # imports what these commands need
os.chdir("/")
listening = socket.socket(socket.AF_UNIX)
listening.bind(sys.argv[1])
listening.listen()
print("ready", flush=True)

def serve(connection):
    text, streams, _, _ = socket.recv_fds(connection, 1 << 16, 3)
    while more := connection.recv(1 << 16):
        text += more
    child = os.fork()
    if child:
        connection.send(str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])).encode())
        return
    connection.close()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    # Those that Python opened at its start know what the old ones could do, such as seek.
    sys.stdout, sys.stderr = (open(number, "w", closefd=False) for number in (1, 2))
    folder, environment, words = json.loads(text)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["gitgpu", *words]
    run()

signal.signal(signal.SIGCHLD, signal.SIG_IGN)
while True:
    connection, _ = listening.accept()
    if not os.fork():
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        listening.close()
        serve(connection)
        os._exit(0)
    connection.close()
"""
CLIENT = """\
#!{python} -IS
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as connection:
    connection.connect({address!r})
    request = json.dumps([os.getcwd(), dict(os.environ), sys.argv[1:]]).encode()
    socket.send_fds(connection, [request], [0, 1, 2])
    connection.shutdown(socket.SHUT_WR)
    sys.exit(int(connection.recv(9)))
"""


@contextmanager
def forked_program() -> Iterator[str]:
    """The text of an executable file that behaves like `gitgpu` of this checkout."""
    with tempfile.TemporaryDirectory() as folder:  # not below tmp_path: the address of a socket must be short
        (Path(folder) / "scratch").mkdir()
        address = f"{folder}/socket"
        command = [sys.executable, "-c", SERVER, address, f"{folder}/scratch"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as server:
            assert server.stdout
            assert server.stdout.readline() == "ready\n"
            try:
                yield CLIENT.format(python=sys.executable, address=address)
            finally:
                server.kill()
