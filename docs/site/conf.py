# How Sphinx builds the site; `make docs` runs it.
import os
from pathlib import Path

import ellzero

# The gallery runs in its own folder; data is beside the project unless said otherwise.
os.environ.setdefault("ELLZERO_DATA", str(Path(__file__).resolve().parents[3] / "shared" / "data"))

project = "ellzero"
author = "the ellzero authors"
release = version = ellzero.__version__

extensions = ["myst_parser", "numpydoc", "sphinx.ext.autodoc", "sphinx.ext.autosummary", "sphinx_gallery.gen_gallery"]
exclude_patterns = ["gallery/*", "**/sg_execution_times.rst", "sg_execution_times.rst"]
autosummary_generate = True
templates_path = ["_templates"]
numpydoc_show_class_members = False
autodoc_typehints = "none"
suppress_warnings = ["ref.ref"]  # links in docstrings that scikit-learn hands down
html_theme = "pydata_sphinx_theme"
html_title = "ellzero"
html_show_sourcelink = False
html_sidebars = {page: [] for page in "index install first_model choosing gap sparse sources lasso".split()}
html_theme_options = {
    "navigation_with_keys": False,
    "show_prev_next": False,
    "secondary_sidebar_items": ["page-toc"],
    "header_links_before_dropdown": 4,
}
sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "examples",
    "filename_pattern": r"/plot_",
    "download_all_examples": False,
    "show_memory": False,
    "remove_config_comments": True,
}
