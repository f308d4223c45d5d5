"""What the language server takes for an edit of the example fleet: CPU time in this process, in milliseconds."""

from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import process_time

from bench.figure import Bench, Figure, Goal, Row
from bench.measure import ROOT
from gitgpu.cli.lsp.project import Project
from gitgpu.cli.lsp.session import Session
from gitgpu.editor.completion import completion
from gitgpu.editor.context import Context
from gitgpu.editor.findings import by_file
from gitgpu.editor.hover import hover
from gitgpu.editor.lens import workload_title

LIMIT = 200  # milliseconds: what a person who types does not notice


def measure(bench: Bench) -> Iterator[Row]:
    """Edits one by one, each with another text, so that nothing but what an editor session keeps is cached."""
    folder = bench.folder / "editor"
    folder.mkdir(parents=True)
    text = (ROOT / "fleet.yaml").read_text("utf-8")
    (folder / "fleet.yaml").write_text(text, "utf-8")
    editor = _Editor(folder / "fleet.yaml", text)
    for name, ask in editor.questions().items():
        times = [editor.after_an_edit(number, ask) for number in range(max(bench.rounds, 5))][1:]
        milliseconds = median(times) * 1000
        figure = f"gitgpu lsp, example fleet: {name}"
        yield Row(figure, "CPU time in ms", milliseconds, Goal(LIMIT), f"{milliseconds:.0f} ms")


class _Editor:
    """A session with the example fleet open."""

    def __init__(self, path: Path, text: str) -> None:
        self.session, self.uri, self.text = Session(), path.as_uri(), text
        self.root, self.file = str(path.parent), path.name

    def after_an_edit(self, number: int, ask: Callable[[Project], object]) -> float:
        """The seconds of CPU time of an edit and what follows it."""
        edited = self.text.replace("limits: {gpus: 2}", f"limits: {{gpus: {number + 2}}}")
        start = process_time()
        self.session.open(self.uri, edited)
        self.session.check(self.root)
        with self.session.project(self.root) as project:
            ask(project)
        return process_time() - start

    def questions(self) -> dict[str, Callable[[Project], object]]:
        """What is measured, by its name in the table."""
        size, pool = self.text.index("Standard_NC4as"), self.text.index("[t4-lab]") + 2
        return {
            "findings after an edit": self._findings,
            "an edit, and completion of a size": lambda _: completion(self._context(), size + 3),
            "an edit, and hover on a pool": lambda _: hover(self._context(), pool),
            "an edit, and where a workload runs": self._lens,
        }

    def _findings(self, project: Project) -> object:
        return by_file(project.findings, self.session.view(self.root, project))

    def _context(self) -> Context:
        return self.session.context(self.root, self.file)

    def _lens(self, _: Project) -> object:
        inputs = self.session.inputs[self.root]
        line = self.text[: self.text.index("name: rerank")].rindex("apiVersion")
        first = self.text.count("\n", 0, line) + 1
        return workload_title(inputs, self.file, first, self.session.forecast(inputs))


FIGURE = Figure("editor", "an edit in the language server, in CPU time", measure)
