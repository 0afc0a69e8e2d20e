"""Files as tables in memory, on a connection that reaches nothing else. The face is `opening.files_open`."""
