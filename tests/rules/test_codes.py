"""The code of a rule starts with the letters of its subject, and no rule is half written."""

from collections import defaultdict
from importlib import import_module

from gitgpu.rule import AnyRule
from gitgpu.rules.fleet_rulebook import fleet_rules
from gitgpu.rules.object_rulebook import object_rules
from tools.new_rule import RULES, unfinished

# Codes are permanent, so these rules keep the letters of another subject. No new rule is added to this list.
OTHER_LETTERS = {
    "fleet/clusters": "AGP001 NET001 NET002 NET003",
    "fleet/images": "DIS004 DSK001 DSK002 NCL001 STR001",
    "fleet/limits": "SKU007 SKU008 SKU015 SKU018 SKU019",
    "fleet/monitoring": "DSC001 HLT001 HLT002 PRT011 VRF001",
    "fleet/rdma": "SKU017",
    "fleet/sharing": "DRV006 PRT007 PRT014",
    "fleet/sizes": "SCH006",
    "fleet/workloads": "AMD005 DIS009 DIS010 DIS014 DRV005 DRV010 DRV011 PRT008 PRT009 PRT010 SCL010",
    "objects/aksnodeclasses": "DRV103 DRV104",
    "objects/amd": "POD104",
    "objects/charts": "GIT008 GIT009 GIT011 KAI060 KED062 MON014",
    "objects/delivery": "CNF014 CNF015",
    "objects/disruption": "CNF013 GIT014 POD017 POD020 POD035 POD045 POD090 POD091 POD095",
    "objects/dra": "POD005 POD021 STK021 STK022 STK027 STK031 STK032",
    "objects/drivers": "DRV082 SHR061 SHR080",
    "objects/gpu_software": "POD102 SHR063",
    "objects/kubernetes": "NAM001 NAM006 NAM007 NAM008",
    "objects/autoscalers": "SCL077",
    "objects/limits": "NPS015",
    "objects/mig": "NPL036 POD012",
    "objects/nodepools": "CNF009 CNF011 CNF012 DRV081",
    "objects/pods": "GIT012 NAM002 NAM003 NAM004 NAM005",
    "objects/rdma": "POD019",
    "objects/requirements": "NPS007 NPS008 NPS009 NPS013",
    "objects/resources": "CNF006 NAM009 NAM010 RSC006 RSC007",
}


def test_a_code_starts_with_the_letters_of_its_subject() -> None:
    rules: tuple[AnyRule, ...] = (*fleet_rules(), *object_rules())
    others = defaultdict(list)
    for rule in rules:
        package = import_module(rule.check.__module__.rpartition(".")[0])
        if not rule.code.startswith(package.PREFIX):
            others["/".join(package.__name__.split(".")[-2:])].append(rule.code)
    assert {subject: " ".join(sorted(codes)) for subject, codes in others.items()} == OTHER_LETTERS


def test_no_rule_has_a_todo_left() -> None:
    left = unfinished(RULES)
    assert not left, "\n".join(("write what these lines ask for, or remove them:", *left))
