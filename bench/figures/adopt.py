"""Import of many NodePools with their node classes, against parsing the same file with PyYAML's C code."""

from collections.abc import Iterator

from bench.figure import Bench, Figure, Goal, Row
from bench.figures.lint import PARSE, pool_text
from bench.measure import GITGPU, PYTHON, process, row, side_by_side

CLASS = """\
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata:
  name: default
spec:
  imageFamily: Ubuntu
  osDiskSizeGB: 128
"""


def measure(bench: Bench) -> Iterator[Row]:
    """Whole processes, start included, on both sides; the import adopts, compiles and compares every pool."""
    folder = bench.folder / "adopt"
    folder.mkdir()
    texts = [CLASS, *map(pool_text, range(bench.clusters))]
    (folder / "all.yaml").write_text("---\n".join(texts), encoding="utf-8")
    words = ("import", ".", "--cluster", "prod", "--region", "swedencentral", "--dry-run")
    subjects = {"import": process((*GITGPU, *words), folder), "parse": process((*PYTHON, "-c", PARSE), folder)}
    costs = side_by_side(subjects, bench.rounds)
    figure = f"import, {bench.clusters:,} NodePools"
    yield row(figure, "CSafeLoader parsing them", (costs["import"], costs["parse"]), Goal(10))


FIGURE = Figure("adopt", "import of many NodePools, against parsing them", measure)
