"""How Sphinx builds the documentation: sphinx-build -W -b html docs OUTPUT."""

import sys
from importlib.metadata import version as installed_version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_sphinx"))

project = "nbframework"
author = "the authors of nbframework"
copyright = author  # noqa: A001  # the name that Sphinx asks for
version = release = installed_version("nbframework")

extensions = ["myst_parser", "part_pages", "recipe_tables", "command_pages"]
exclude_patterns = ["_build", "_sphinx"]
myst_heading_anchors = 3
nitpicky = True
smartquotes = False  # formulas and options keep their signs

html_theme = "furo"
html_title = f"nbframework {release}"
html_static_path = ["_static"]
html_css_files = ["tables.css"]
html_show_sphinx = False
html_copy_source = False
