"""What pages are made with: parts for htmx, safe Markdown, long answers."""
