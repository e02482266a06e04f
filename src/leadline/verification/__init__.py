"""Checks of reports that are finished: of a bundle without a network, and of any Markdown with links, whoever wrote it."""

from leadline.verification.bundles import verify_bundle
from leadline.verification.markdown import verify_markdown
from leadline.verification.results import Finding, Verification

__all__ = ["Finding", "Verification", "verify_bundle", "verify_markdown"]
