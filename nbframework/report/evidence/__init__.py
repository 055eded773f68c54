"""The evidence page: one model as one file in which cases are put together and their evidence is seen."""

from nbframework.report.evidence.page import evidence_page

__all__ = ["evidence_page"]
