"""The rules about the fleet: a folder for each subject, a module for each rule, exported as RULE."""
