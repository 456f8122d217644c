"""How the documentation is built: `scripts/docs-build`."""

import os
from importlib import metadata

project = html_title = "Tessella"
author = "the makers of Tessella"
release = metadata.version("tessella")
extensions = ["myst_parser"]
exclude_patterns = ["conf.py"]
templates_path = ["_templates"]
html_context = {"versions": os.environ.get("TESSELLA_DOCS_VERSIONS", "").split()}
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/versions.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}
linkcheck_anchors = False
linkcheck_ignore = [r"http://(localhost|127\.0\.0\.1)", r"https?://([\w-]+\.)?example\.(org|com)"]
myst_heading_anchors = 3
nitpicky = True
html_theme = "furo"
html_favicon = "../web/public/icon.svg"
html_copy_source = False
html_show_copyright = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#1f4e9c",
        "color-brand-content": "#1f4e9c",
        "color-background-primary": "#fffdf8",
        "color-background-secondary": "#f3efe5",
    },
    "dark_css_variables": {"color-brand-primary": "#86b4ff", "color-brand-content": "#86b4ff"},
}
