"""Packs of domains: what a router chooses among."""
