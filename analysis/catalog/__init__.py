"""The catalog of tools, and reading one from a file. Source: spec 5, section 2."""
