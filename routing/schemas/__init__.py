"""The JSON Schemas of the consult's contracts, as they are published."""
