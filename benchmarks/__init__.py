"""`make bench`: what a learner's turn costs beside a bare view that does the same number of statements."""
