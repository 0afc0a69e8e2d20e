"""What makes an entry of the audit trail hold: its canonical form, its checksum, its signature. See decision 27."""
