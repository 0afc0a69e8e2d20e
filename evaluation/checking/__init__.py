"""Criteria held against results, by rules alone. Sources: RF-007; design.md, "Settled", 6 and 7; docs/criteria.md."""
