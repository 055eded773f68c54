"""Reports: results as tables in text, Markdown, CSV and LaTeX, and as Weka's result files; models as evidence pages."""

from nbframework.report.evidence import evidence_page

__all__ = ["evidence_page"]
