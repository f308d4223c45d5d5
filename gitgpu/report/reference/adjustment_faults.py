"""The findings about values of charts and about patches, in the form of `report.faults`."""

ADJUSTMENTS = """
# Values of a chart are wrong
VAL001 `stack.values` contains a chart that none of the clusters it applies to installs.
       Use the name of a chart that the help lists.
VAL002 A value does not exist in this version of the chart.
       Correct the key as the help says.
VAL003 Warning: a value overrides a gitgpu setting.
       Use the key of the spec that the help names, or suppress the finding with a reason.
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
       Use the key of the spec that the help names, or suppress the finding with a reason.
PAT009 A patch adds a container without an image, often because it misspells the name of a container.
       Correct the name, or add an image.
"""
