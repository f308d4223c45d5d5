"""The findings that no rule makes: what their codes mean, for those who look one up."""

from collections.abc import Iterator
from typing import NamedTuple


class Fault(NamedTuple):
    """A code, what it stands for, and what to do. It is an error where it says nothing else."""

    code: str
    summary: str
    help: str
    section: str


def faults() -> Iterator[Fault]:
    """Every one, section by section."""
    for part in _TEXT.strip("# \n").split("\n\n# "):
        section, *lines = part.splitlines()
        for told, remedy in zip(lines[::2], lines[1::2], strict=True):
            code, _, summary = told.partition(" ")
            yield Fault(code, summary, remedy.strip(), section)


_TEXT = """
# The input cannot be read (exit status 2)
INP001 A file or directory cannot be opened.
       Check the path and its permissions.
INP002 A file is not UTF-8 text, or holds a NUL character.
       Save it as UTF-8. A byte order mark is fine.
INP003 A file is larger than 32 MiB.
       Split it, or name the right file.
INP004 A directory holds no file that ends in `.yaml`, `.yml` or `.json`.
       Name a file or another directory.
INP005 No fleet was named, and there is neither `fleet.yaml` nor a directory `fleet`.
       Name one, or start one with `gitgpu init`.
INP006 No cluster matches `--cluster` and `--shard`.
       Choose among the clusters that the help names.
INP007 `plan`: Git is not here, or could not read the revision.
       Do what it says; in CI, fetch the whole revision.
INP008 `plan`: there is no such Git revision.
       Name one, or fetch it first.
INP009 `plan`: a directory holds neither overlays nor a fleet.
       Name another directory, or a revision.

# gitgpu failed (exit status 2)
INT001 A rule raised an exception: a bug in gitgpu. All other rules were checked.
       Report it with the object that it names.

# The text is not YAML as we take it
YML001 Not YAML: a quote or bracket left open, a tab, the wrong indentation.
       Look at the line and the one above.
YML002 A key stands twice in one mapping.
       Keep one.
YML003 A key is no text, such as `on:` or `1:`.
       Quote it.
YML004 An alias has no anchor before it, or aliases stand for too many values.
       Write the values out.
YML005 Nested too deeply.
       Flatten it.
YML006 A tag that is not understood here.
       Remove the tag.
YML007 A merge key `<<` that is given no mapping.
       Write the alias of a mapping, or a list of such.
YML008 A file has over 1,000 faults of this kind, and the rest of it was not read.
       Correct those that are listed first.

# A document has the wrong shape
SHP001 Not a mapping with `apiVersion` and `kind`, or a file without a document.
       Start with `apiVersion: gitgpu.dev/v1alpha1`.
SHP002 A kind that is no part of a fleet.
       Keep other manifests elsewhere.
SHP003 A key is unknown or missing, or a value is not allowed.
       `gitgpu explain` tells what is.

# A name leads nowhere
LNK001 There is no `Fleet` document.
       Write one, with `spec.delivery`.
LNK002 There is a second `Fleet` document.
       Keep one.
LNK003 Two documents of a kind have one name (workloads: in one namespace).
       Give each its own.
LNK004 A pool names a cluster that there is not.
       Correct the name, or write the `Cluster`.
LNK005 A workload names a pool that there is not.
       Correct the name, or write the `GpuPool`.
LNK006 No cluster has the labels that a pool asks for.
       Label a cluster, or name clusters.
LNK007 A size that the catalog does not know.
       `gitgpu sku list` shows every size; a catalog of your own can hold more.
LNK008 No size meets a pool's requirements.
       Loosen one. An unknown fact meets no requirement.

# The configuration or the catalog is wrong
CFG001 `.gitgpu.yaml` is not one document of kind `Config`, or has a wrong key or value.
       `gitgpu explain config` tells the keys.
CAT001 A catalog file does not hold exactly one row.
       Write one mapping.
CAT002 A row's name is not its file's.
       Give both one name.
CAT003 A folder of your catalog is no kind of row.
       Name it as one of gitgpu's own folders.
CAT004 A row of yours does not fit the schema of its kind.
       Correct the value.
CAT005 A size of yours names a GPU or a driver that no row describes.
       Write that row too, or name one that is there.
CAT006 A catalog of yours, or a file in it, is not where rows are, or its name does not end in `.yaml`.
       Correct the path or the name.

# The output
OUT001 A file in the output directory was not made by gitgpu.
       Move it out, or build into another directory.
OUT002 Something that is no plain file or folder, or one where the other belongs, is in the way.
       Remove it by hand.
OUT003 `gitgpu.lock` cannot be read (of `plan` and `lint` a warning), or is missing beside its files.
       Restore it from Git, or remove the whole output directory and build.
OUT004 The disk refused a read or a write.
       Mend that and run again: it carries on.
OUT005 `init`: a file that it would write is there already.
       Name another directory.
OUT006 The output directory holds the fleet itself, or is your home.
       Name a directory of its own.
OUT007 A pool leaves the spec while its nodes may still run (with its whole cluster: a warning).
       Let it retire first (`retire: true`), or allow it: `--allow-removal`.
OUT010 `build --check`: a file is not what the spec makes.
       Run `gitgpu build` and commit what it writes.
OUT011 `--fix` does not write through a symbolic link, or into a pipe or a device.
       Name the file that the link leads to.

# An object is not what the API server takes
CNF001 An object does not fit the schema of its kind. From `build`: a bug of ours, please report it.
       Correct it as the help says.
CNF002 Info: no schema is known for a kind, so its fields were not checked.
       Nothing, if the kind is spelt right.
CNF010 Info: the cluster's Kubernetes version is not bundled; the nearest was used.
       Install a newer `kubernetes-validate`.
CNF016 This version of the kind is not served, or not yet.
       Write the version that the help names, or upgrade the cluster first.
CNF018 A CEL rule of a CRD that was given with `--crds` does not hold.
       Change the object so that it holds.
CNF019 The API group has no such kind, but one that is spelt almost so.
       Correct the spelling.
CRD001 A CRD that was given cannot be read.
       Export it as `apiextensions.k8s.io/v1`.
CRD002 What was given as CRDs holds none.
       Export them: `kubectl get crds -o yaml`.

# Lint
LNT001 A template, not YAML. Templates in a directory are one info for a chart or folder; with `--strict` an error.
       Render it first.
LNT002 An object with a placeholder that is yet to be replaced. An info beside Flux objects, for `${NAME}`.
       Fill it in first.
LNT003 A file without a document or values; with `--strict` (else an info) what is no Kubernetes object.
       Name the right file.
LNT004 A kustomization names a file or a directory that is not there.
       Correct the path.
LNT005 `--strict`: no schema is known for a kind.
       Give its CRD with `--crds`, or `--ignore-missing-schemas`.
LNT006 Info: CEL rules of the CRDs that were given were not evaluated.
       Install `gitgpu[cel]`.
LNT007 Values were named for a chart that no rule knows.
       Correct the name of the chart.
LNT008 Info: kustomizations change what is applied, and lint has seen the files before that.
       Lint what `kustomize build` prints.
LNT009 Warning: a kustomization names what is outside of the named directories and their Git work tree, or is no YAML.
       Write a relative path into the repository, or name that file too.
LNT010 Info: two files outside of kustomizations define one object in two ways; their directories are not compared.
       Name what is applied together in a kustomization.yaml, or lint one directory at a time.
LNT011 Info: `--whole-cluster`, but objects come from elsewhere too: what is absent is not reported.
       Lint what is applied, rendered, to see the whole cluster.
LNT013 Info: a link in a searched directory leads to a file that is not there.
       Remove the link, or check out what it leads to.

# Allowances
ALW001 Warning: an ignore that matches nothing.
       Remove it.
ALW002 An ignore without a code or without a reason: it ignores nothing.
       Write both.
ALW003 Warning: an ignore whose last day is over.
       Mend what it was about, or decide anew.
ALW004 An error is allowed, and the fleet cannot be compiled without its remedy.
       Correct what the error is about, and take the allowance back.
"""
