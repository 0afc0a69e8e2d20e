"""A plan runs where its data is: one lazy expression for each output; only results come back. Spec 5, section 6.

- `running`: the whole plan; `chain`: what the steps before have given
- `validation`, `param_types`: parameters against tool and data; `repairs`: known faults mended, each with a record
- `tools`: the functions of the catalog; `outputs`: what they return
- `querying`, `limits`, `engines`: queries with limits on rows, seconds and memory; `values`: cells as JSON
- `chart_fitting`: charts of too many categories
"""
