"""Reports: results as tables in text, Markdown, CSV and LaTeX, and as Weka's result files."""
