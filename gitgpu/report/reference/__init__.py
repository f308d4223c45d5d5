"""Reference texts: codes, rules, fields of the spec, and the JSON that gitgpu prints."""
