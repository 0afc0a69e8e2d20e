"""The workbench: staff look at verdicts, and say what an answer is worth."""
