"""The second opinion of the thinker where the grader is unsure. Source: design.md, "A turn", 1; docs/grading.md."""
