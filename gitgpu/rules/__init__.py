"""Rules: fleet/ about settings of a fleet, objects/ about Kubernetes objects, in a folder for each subject."""
