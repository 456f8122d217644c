"""Compile the games of `tessella.fast`; all other package metadata is in pyproject.toml.

Without Cython or a C compiler the package still installs, and those games run as plain Python.
"""

import os
import sys
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


ext_modules = [] if METADATA_COMMANDS & set(sys.argv) else _compiled()
options = {"bdist_wheel": {"py_limited_api": "cp311"}, "build_ext": {"parallel": os.cpu_count()}}
setup(ext_modules=ext_modules, options=options)
