"""`make soak`: everybody at once for an hour, with faults and kills; then everything is counted."""
