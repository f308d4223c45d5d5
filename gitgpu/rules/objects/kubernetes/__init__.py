"""Objects of any kind: names, labels, scope, data, references."""

from gitgpu.rules.kinds import ANY, kinds

PREFIX = "CNF"  # of the codes of new rules
KINDS = kinds(
    about=ANY,
    first={
        "invalid_config_data": ("ConfigMap", "Secret"),
        "invalid_cronjob_schedule": ("batch/CronJob",),
        "name_too_long": ("apps/StatefulSet", "batch/CronJob", "batch/Job"),
        "selector_mismatch": ("apps/DaemonSet", "apps/Deployment", "apps/ReplicaSet", "apps/StatefulSet"),
    },
)
