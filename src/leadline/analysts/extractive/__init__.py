"""The analyst without a model: selects and groups sentences of the sources."""
