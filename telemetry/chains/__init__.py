"""Hash chains over rows: how they grow, and how they are verified."""
