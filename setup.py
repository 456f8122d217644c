"""Compile the games of `tessella.fast`, and write the long description; all other metadata is in pyproject.toml.

Without Cython or a C compiler the package still installs, and those games run as plain Python. The address of the
repository is not in the tree: if TESSELLA_REPOSITORY gives it, as the release workflow does, the metadata names it, and
the links and pictures of README.md point to the files of this version there. Otherwise they stay relative.
TESSELLA_COMPILE=0 compiles nothing: scripts/fast-build does it afterwards.
"""

import os
import re
import sys
import tomllib
from pathlib import Path

from setuptools import Extension, setup

SOURCE = Path("src")
INLINE = {"bits", "moves"}
"""Modules whose `.pxd` has inline functions only: they are compiled into the modules that cimport them."""
NAMES = sorted(
    ".".join(types.relative_to(SOURCE).with_suffix("").parts)
    for types in SOURCE.glob("tessella/fast/**/*.pxd")
    if types.stem not in INLINE
)
"""Every other module with a `.pxd` beside it."""
OLDEST_PYTHON = "0x030B0000"
"""Limited API of Python 3.11: one build serves all later versions."""

METADATA_COMMANDS = {"egg_info", "dist_info", "sdist"}
"""Commands that build nothing."""

COMPILE = ["-O3", "-g0", "-Werror=incompatible-pointer-types", "-Wno-sign-compare", "-Wno-unused-const-variable"]


BADGES = (
    "[![Tests]({at}/actions/workflows/tests.yml/badge.svg?branch=main)]({at}/actions/workflows/tests.yml) "
    "[![PyPI](https://img.shields.io/pypi/v/tessella)](https://pypi.org/project/tessella/) "
    "[![MIT licence](https://img.shields.io/pypi/l/tessella)]({at}/blob/{tag}/LICENSE)"
)
BADGES_HERE = "<!-- badges -->"


def _about(repository: str) -> dict[str, object]:
    """Return the long description, and the addresses if the repository is known."""
    text = Path("README.md").read_text("utf-8")
    about: dict[str, object] = {"long_description_content_type": "text/markdown"}
    if not repository:
        return about | {"long_description": text}
    version = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["project"]["version"]
    tag = "main" if "dev" in version else f"v{version}"
    text = re.sub(r"(?<!!)(\[[^\]]*\]\()(?!\w+:|#)", rf"\1{repository}/blob/{tag}/", text)
    text = re.sub(r"(!\[[^\]]*\]\()(?!\w+:)", rf"\1{repository}/raw/{tag}/", text)
    addresses = {
        "Source": repository,
        "Documentation": f"{repository}/blob/{tag}/docs/index.md",
        "Changelog": f"{repository}/blob/{tag}/CHANGELOG.md",
        "Issues": f"{repository}/issues",
    }
    text = text.replace(BADGES_HERE, BADGES.format(at=repository, tag=tag))
    return about | {"long_description": text, "project_urls": addresses}


def _extension(name: str) -> Extension:
    flags = os.environ.get("TESSELLA_FAST_FLAGS", "").split()
    return Extension(
        name,
        [f"{SOURCE.joinpath(*name.split('.'))}.py"],
        define_macros=[("Py_LIMITED_API", OLDEST_PYTHON)],
        py_limited_api=True,
        extra_compile_args=[*(COMPILE if os.name == "posix" else []), *flags],
        extra_link_args=flags,
    )


def _compiled() -> list[Extension]:
    try:
        from Cython.Build import cythonize  # noqa: PLC0415
    except ImportError:
        return []
    directives = {
        "language_level": 3,
        "boundscheck": False,
        "wraparound": False,
        "cdivision": True,
        "initializedcheck": False,
        "auto_pickle": False,
    }
    # forced: a changed .pxd must never leave stale rules behind
    extensions = cythonize(
        list(map(_extension, NAMES)),
        build_dir="build",
        force=True,
        nthreads=os.cpu_count() or 1,
        compiler_directives=directives,
    )
    for extension in extensions:
        extension.optional = True  # set here, since Cython creates its own extensions
    return list(extensions)


compiles = os.environ.get("TESSELLA_COMPILE") != "0" and not METADATA_COMMANDS & set(sys.argv)
ext_modules = _compiled() if compiles else []
options = {"bdist_wheel": {"py_limited_api": "cp311"}, "build_ext": {"parallel": os.cpu_count()}}
setup(ext_modules=ext_modules, options=options, **_about(os.environ.get("TESSELLA_REPOSITORY", "").rstrip("/")))
