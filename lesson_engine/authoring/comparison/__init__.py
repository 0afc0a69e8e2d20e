"""Two versions of a lesson side by side: what was added, removed, moved and changed, word by word."""
