"""A question in plain words becomes requirements, by fitted rankers. Source: spec 5, section 1."""
