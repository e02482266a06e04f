"""Pure: a run's report as HTML. What the texts of pages and models bring along is shown, never obeyed; nothing is loaded."""

from leadline.rendering.html import render_evidence, render_page, render_report, script, style
from leadline.rendering.views import ReportView, view_report

__all__ = ["ReportView", "render_evidence", "render_page", "render_report", "script", "style", "view_report"]
