"""Values of Analyze that cross layers, one module a subject. Source: spec 5."""
