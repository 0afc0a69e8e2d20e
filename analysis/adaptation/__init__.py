"""A template becomes the plan of one question, by modifications that are each checked. Source: spec 5, section 4."""
