"""From the bytes of a lesson file to a lesson, or to the faults in it."""
