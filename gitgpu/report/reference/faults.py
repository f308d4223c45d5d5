"""Findings that do not come from a rule: the meaning of their codes, for users who look one up.

Those of advisories are rows of the catalog. A user's own advisories are not among them.
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from gitgpu.model.catalog import catalog
from gitgpu.model.software.advisories import advisories
from gitgpu.report.reference.dump_faults import OF_DUMPS
from gitgpu.report.reference.object_faults import OF_OBJECTS

_ADVISORIES = "Advisories: combinations of versions that are known not to work"


class Fault(NamedTuple):
    """A code, what it means, and what to do. It is an error unless the summary says otherwise."""

    code: str
    summary: str
    help: str
    section: str


@cache
def faults() -> tuple[Fault, ...]:
    """Every fault, section by section."""
    return (*_written(), *_advisory_faults())


def _written() -> Iterator[Fault]:
    # A section is a title and pairs of lines: a code with its meaning, then what to do.
    for part in (_SPEC + _ADJUSTMENTS + OF_OBJECTS + OF_DUMPS).strip("# \n").split("\n\n# "):
        section, *lines = part.splitlines()
        for meaning, remedy in zip(lines[::2], lines[1::2], strict=True):
            code, _, summary = meaning.partition(" ")
            yield Fault(code, summary, remedy.strip(), section)


def _advisory_faults() -> Iterator[Fault]:
    for advisory in advisories(catalog(())):
        summary = f"{advisory.severity.value.capitalize()}: {advisory.title}."
        yield Fault(advisory.id, summary, f"{advisory.remedy[0].upper()}{advisory.remedy[1:]}.", _ADVISORIES)


_SPEC = """
# The input cannot be read (exit status 2)
INP001 A file or directory cannot be opened.
       Check the path and its permissions.
INP002 A file is not UTF-8 text, or contains a NUL character.
       Save it as UTF-8. A byte order mark is fine.
INP003 A file is larger than 32 MiB.
       Split it, or pass the right file.
INP004 A directory contains no file that ends in `.yaml`, `.yml` or `.json`.
       Pass a file or another directory.
INP005 No fleet was passed, and there is no `fleet.yaml` and no directory `fleet`.
       Pass one, or create one with `gitgpu init`.
INP006 No cluster matches `--cluster` and `--shard`.
       Use one of the clusters that the help lists.
INP007 `plan`: Git is not installed, or could not read the revision.
       Follow Git's error message. In CI, fetch the complete history.
INP008 `plan`: the Git revision does not exist.
       Use an existing revision, or fetch it first.
INP009 `plan`: a directory contains neither overlays nor a fleet.
       Use another directory, or a revision.

# The command line is not valid
CLI001 An option, an argument or a command is unknown or missing, or has an invalid value (exit status 2).
       Correct it. `--help` lists what a command accepts.
CLI002 The name of a field, an object, a rule, a GPU, a ring, a chart, an image or a version is unknown (exit status 1).
       Use the name that the help suggests.

# gitgpu failed (exit status 2)
INT001 A rule raised an exception: a bug in gitgpu. All other rules were checked.
       Report it together with the object in the message.
INT002 The command failed unexpectedly: a bug in gitgpu.
       Run it again with `GITGPU_DEBUG=1`, and report the output.

# The text is not supported YAML
YML001 Not YAML: an open quote or bracket, a tab, wrong indentation, a merge conflict.
       Check this line and the line above.
YML002 A duplicate key in a mapping.
       Keep one of them.
YML003 A key is not a string, such as `on:` or `1:`.
       Quote it.
YML004 An alias has no anchor before it, or aliases expand to too many values.
       Write the values out.
YML005 Nested too deeply.
       Reduce the nesting.
YML006 A tag that is not supported here.
       Remove the tag.
YML007 A merge key `<<` without a mapping.
       Use the alias of a mapping, or a list of aliases.
YML008 A file has over 1,000 faults of this kind, and the rest was not read.
       Correct the listed faults first.

# A document has the wrong shape
SHP001 Not a mapping with `apiVersion` and `kind`, or a file without a document.
       Start with `apiVersion: gitgpu.dev/v1alpha1`.
SHP002 An unknown kind or apiVersion.
       Correct it, or keep other manifests outside the fleet.
SHP003 A key is unknown or missing, or a value is not allowed.
       `gitgpu explain` shows what is allowed.

# A reference is not valid
LNK001 There is no `Fleet` document.
       Write one, with `spec.delivery`.
LNK002 There is more than one `Fleet` document.
       Keep one of them.
LNK003 Two documents of the same kind have the same name (workloads: of one namespace; pools, teams: of one cluster).
       Give each a unique name. Pools, teams and workloads may have the same name if they select different clusters.
LNK004 A pool, an override or a ring refers to a cluster that does not exist.
       Correct the name, or add the `Cluster`.
LNK005 A workload or a team refers to a pool, or a workload to a team, that does not exist.
       Correct the name, or add the `GpuPool` or `GpuTeam`.
LNK006 No cluster has the labels that a pool or a ring selects.
       Label a cluster, or list clusters by name.
LNK007 An unknown Azure GPU size.
       Use a size from `gitgpu sku list`, or add it to your own catalog.
LNK008 No size meets a pool's requirements, or has the GPU model in the quota of a team.
       Relax one of them. A size with unknown facts does not meet requirements on them.
LNK009 An override sets a key that cannot differ between clusters: `clusters`, `overrides`, `metadata` or a name.
       Remove the key, or write another document.
LNK010 An override selects a cluster that the pool, workload or team is not on, or labels that none of its clusters has.
       Select one of its clusters, or remove the entry.
LNK011 Two rings of the fleet have the same name.
       Give each ring a unique name.
LNK012 A cluster is in two rings of the fleet.
       Remove it from one of them.

# The configuration or the catalog is wrong
CFG001 `.gitgpu.yaml` is not one document of kind `Config`, has a wrong key or value, or is named `.gitgpu.yml`.
       See `gitgpu explain config` for the keys.
CFG002 Two configurations apply to the same fleet and contradict each other.
       Build each fleet separately, or choose one with `--config`.
CFG003 `delivery.path` is not the directory that `out` sets in the configuration.
       Remove `path`, because it defaults to `out`.
CAT001 A catalog file does not contain exactly one row.
       Write exactly one mapping.
CAT002 The name of a row differs from the name of its file.
       Use the same name for both.
CAT003 An unknown folder in your catalog.
       Use the name of a folder in gitgpu's own catalog.
CAT004 A row of your catalog does not match the schema of its kind.
       Correct the value.
CAT005 A row of your catalog refers to a GPU, a driver or a KAITO release without a row.
       Add that row, or refer to an existing one.
CAT006 A file of your catalog is in the wrong place or does not end in `.yaml`, or the directory has no rows.
       Correct the path or the name.
CAT007 A row of your catalog extends a row that does not exist, or does not have its own `source` and `verified`.
       Add the keys, or write a complete row without `extends`.
CAT008 A release of your catalog is for software that the catalog does not have, or does not match its own version.
       Write the name of a row in `charts` or `containers`, and the same version in each place.
CAT017 Info: the newest source of facts that the fleet uses is more than 90 days older than `--today`.
       Refresh your own catalog for prices, sizes and availability; update gitgpu for other facts.
CAT019 Info: refreshed restrictions, zones and quotas are not used, as the region has clusters of several subscriptions.
       Describe the clusters of each subscription in a separate fleet with its own catalog.

# `gitgpu catalog refresh`
CAT011 A file is not the output of the command that its option names, or an item in it has the wrong type.
       Pass the output of that command, as JSON.
CAT012 A list is empty, or contains nothing about GPU sizes or charts.
       Check the options of the command that printed it.
CAT013 The prices are not in USD.
       Fetch them without the parameter `currencyCode`.
CAT014 Two items contradict each other about the same size, version or quota.
       Pass only responses of one subscription that were fetched at the same time.
CAT015 Info: a row exists that `gitgpu catalog refresh` did not write, and is not changed.
       Move it to a directory that comes later in `catalog`: both rows are then merged.
CAT016 Info: a size, a region or a chart repository is not in the catalog, and was skipped.
       Update gitgpu, or add a row to your own catalog.
CAT020 A page of the price list is missing.
       Fetch every page, and pass them together.

# `gitgpu catalog diff`
CAT018 Warning: a node reports a newer driver than the catalog has for its size.
       Update gitgpu, or add a row to your own catalog.

# The output
OUT001 gitgpu did not generate a file in the output directory.
       Move it out, or build into another directory.
OUT002 A path in the output directory has the wrong type, such as a folder instead of a file.
       Remove it manually.
OUT003 Info: the cache of the last build is damaged, or another version wrote it.
       Nothing to do: the build replaces it.
OUT004 A file could not be read or written.
       Fix this and run the command again: it continues.
OUT005 `init`: a file to be written already exists.
       Use another directory.
OUT006 The output directory contains the fleet, is your home directory or below .git or .github, or is not UTF-8.
       Use a separate directory, or rename it.
OUT007 A pool is removed from the spec while its nodes may still run (with its cluster, or by a merge: a warning).
       Retire it first (`retire: true`), or use `--allow-removal`.
OUT012 The device plugin, driver or operator of a pool no longer runs on its nodes, or they can lose labels it needs.
       Add a pool with the new settings and retire this one, or use `--allow-removal`.
OUT013 Warning: an AKS node pool changes between a scale set and virtual machines, which AKS refuses.
       Add a pool with a different name and the new type, and retire this one.
OUT010 `build --check`: a file is out of date.
       Run `gitgpu build` and commit the result.
OUT011 `--fix`, `promote` and `upgrade` write only regular files, not through links; the last two need a writable file.
       Use the path of the link target, or make the file writable.

# The spec is not edited
EDT001 `promote`, `upgrade`: a value is shared by an anchor, an alias or a merge key, and cannot be edited.
       Write the value yourself, as the help says.
EDT002 `promote`: the ring is not the one after the first ring.
       Promote in the order of the rings, or use `--force`.
EDT003 `promote`, `upgrade`: the catalog says that this upgrade is blocked.
       Follow the actions that the help lists, or use `--force`.
"""

_ADJUSTMENTS = """
# Values of a chart are wrong
VAL001 `stack.values` contains a chart that none of the clusters it applies to installs.
       Use the name of a chart that the help lists.
VAL002 A value does not exist in this version of the chart.
       Correct the key as the help says.
VAL003 Warning: a value overrides a gitgpu setting.
       Use the key in the spec that the help names, or suppress the finding with a reason.
VAL004 A value has the wrong type.
       Write the type that the message names.
VAL005 Warning: a null removes nothing, because neither gitgpu nor the Fleet sets the value.
       Write the value that the chart needs.
VAL006 A value contains a secret in plain text.
       Keep it in a Secret, and write the name of the Secret.

# A patch cannot be applied
PAT001 A patch matches no object.
       Correct its target. The help lists the objects.
PAT002 A patch changes the apiVersion, kind, name or namespace of an object.
       Remove that part of the patch.
PAT003 A JSON patch operation cannot be applied: a path does not exist, a test fails, or a key is missing.
       Correct the operation as the help says.
PAT004 Warning: two patches, or a patch and a value, write the same field differently.
       Keep one of them.
PAT005 A target is not a valid regular expression, or a directive such as `$patch` is not supported at this location.
       Correct it as the help says.
PAT006 A patch contains a secret in plain text.
       Keep it in a Secret, and refer to that Secret.
PAT007 Warning: a patch removes a taint or a toleration that gitgpu sets.
       Keep it in the patch.
PAT008 Warning: a patch overrides a gitgpu setting, such as who installs the driver, or where pods run.
       Use the key in the spec that the help names, or suppress the finding with a reason.
PAT009 A patch adds a container without an image, often because it misspells the name of a container.
       Correct the name, or add an image.
"""
