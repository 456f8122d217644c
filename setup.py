"""How the games of `tessella.fast` are compiled; everything else about the package is in pyproject.toml.

Without Cython or a C compiler the package installs all the same, and those games run as plain Python.
"""

import os
import sys
from pathlib import Path

from setuptools import Extension, setup

NAMES = sorted(types.stem for types in Path("src/tessella/fast").glob("*.pxd"))
"""Whatever has its C types beside it."""
OLDEST_PYTHON = "0x030B0000"
"""The stable interface of Python 3.11: one build serves every later version too."""

NOT_BUILDING = {"egg_info", "dist_info", "sdist"}
"""What is asked of this file without anything being built."""

COMPILE = ["-O3", "-g0", "-Werror=incompatible-pointer-types", "-Wno-sign-compare", "-Wno-unused-const-variable"]


def _extension(name: str) -> Extension:
    flags = os.environ.get("TESSELLA_FAST_FLAGS", "").split()
    return Extension(
        f"tessella.fast.{name}",
        [f"src/tessella/fast/{name}.py"],
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
    # forced: a changed .pxd must never leave old rules behind
    extensions = cythonize(list(map(_extension, NAMES)), build_dir="build", force=True, compiler_directives=directives)
    for extension in extensions:
        extension.optional = True  # set here, since Cython makes extensions of its own
    return list(extensions)


ext_modules = [] if NOT_BUILDING & set(sys.argv) else _compiled()
options = {"bdist_wheel": {"py_limited_api": "cp311"}, "build_ext": {"parallel": os.cpu_count()}}
setup(ext_modules=ext_modules, options=options)
