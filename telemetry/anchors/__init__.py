"""Anchors: the ends of all chains at one moment, signed, in files apart from the database."""
