"""Detectors of causes."""
