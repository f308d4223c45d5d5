"""Objects of any kind: names, labels, scope, data, references."""

from gitgpu.model.names.kinds import (
    CONFIG_MAP,
    CRON_JOB,
    DAEMON_SET,
    DEPLOYMENT,
    JOB,
    REPLICA_SET,
    SECRET,
    STATEFUL_SET,
)
from gitgpu.rules.kinds import ANY, kinds

PREFIX = "CNF"  # of the codes of new rules
KINDS = kinds(
    about=ANY,
    first={
        "invalid_config_data": (CONFIG_MAP, SECRET),
        "invalid_cronjob_schedule": (CRON_JOB,),
        "name_too_long": (STATEFUL_SET, CRON_JOB, JOB),
        "selector_mismatch": (DAEMON_SET, DEPLOYMENT, REPLICA_SET, STATEFUL_SET),
    },
)
