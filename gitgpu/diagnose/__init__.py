"""What is wrong on a cluster now: a dump of its objects and events in, the causes of what waits or fails out.

`reading/` turns texts into objects without secrets, `pods/` gives each Pending pod a verdict, `nodes/` looks at nodes
and NodeClaims, `scaling/` at autoscalers. `diagnosis.py` groups what has the same cause. `simulate` places the pods.
"""
