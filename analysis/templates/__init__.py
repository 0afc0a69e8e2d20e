"""Kinds of analysis, a file each: when one is meant, and its tools. Source: spec 5, "Template Strategy"."""
