"""How a task is to be done: from the cache, from the templates, or from a model."""
