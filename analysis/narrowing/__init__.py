"""A few tools for a question out of a catalog of any size. Source: spec 5, sections 2 and 3."""
