"""The analyst without a model: selects and groups sentences of the sources."""

from leadline.analysts.extractive.analyst import ExtractiveAnalyst

__all__ = ["ExtractiveAnalyst"]
