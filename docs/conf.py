"""Settings of the documentation site: ``./run docs`` builds it.

Pages are Markdown with links between files, which also work where the files are read as they are.
The root of the repository is the folder of sources, so that README and data/ are pages, too.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE / "site")]

import structarr  # noqa: E402

project = "structarr"
author = "the structarr contributors"
version = release = structarr.__version__
language = "en"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "members",
]
root_doc = "docs/index"
include_patterns = ["docs/**", "*.md", "data/README.md"]
exclude_patterns = []
suppress_warnings = ["myst.header"]

myst_heading_anchors = 4
myst_links_external_new_tab = True
autosummary_generate = False
autodoc_default_options = {"member-order": "bysource"}
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
maximum_signature_line_length = 88
python_use_unqualified_type_names = True
napoleon_google_docstring = False
napoleon_use_ivar = True
default_role = "code"
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "furo"
html_title = f"structarr {release}"
html_static_path = ["site/static"]
html_extra_path = ["site/root"]
html_css_files = ["structarr.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}
pygments_style = "default"
pygments_dark_style = "monokai"
