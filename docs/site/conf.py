# How Sphinx builds the site; `make docs` runs it.
import ellzero

project = "ellzero"
author = "the ellzero authors"
release = version = ellzero.__version__

extensions = ["myst_parser", "numpydoc", "sphinx.ext.autodoc", "sphinx.ext.autosummary", "sphinx_gallery.gen_gallery"]
myst_enable_extensions = ["dollarmath"]
exclude_patterns = ["gallery/*", "sg_execution_times.rst"]
autosummary_generate = True
numpydoc_show_class_members = False
autodoc_typehints = "none"
suppress_warnings = ["ref.ref"]  # links in docstrings that scikit-learn hands down
html_theme = "pydata_sphinx_theme"
html_title = "ellzero"
html_show_sourcelink = False
html_theme_options = {"navigation_with_keys": False, "show_prev_next": False, "secondary_sidebar_items": ["page-toc"]}
sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "examples",
    "filename_pattern": r"/plot_",
    "download_all_examples": False,
    "show_memory": False,
    "remove_config_comments": True,
}
