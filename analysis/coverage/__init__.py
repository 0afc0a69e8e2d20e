"""Does a plan serve each requirement, and does each step serve one? Deterministic. Source: spec 5, section 5."""
