"""The package map (plugins and configs lie outside the package folder) and the optional extension."""

import sysconfig
from pathlib import Path

from setuptools import Extension, find_packages, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext

frame = find_packages(".", include=["nbframework", "nbframework.*"])
plugins = find_packages("plugins", include=["nbframework_*"])

# The limited API of Python 3.11 gives one binary for all later versions; free-threaded builds have none yet.
LIMITED = not sysconfig.get_config_var("Py_GIL_DISABLED")
kernels = Extension(
    "nbframework.kernels._compiled",
    sources=sorted(path.as_posix() for path in Path("nbframework/kernels").glob("*.c")),
    depends=sorted(path.as_posix() for path in Path("nbframework/kernels").glob("*.h")),
    define_macros=[("Py_LIMITED_API", "0x030B0000")] if LIMITED else [],
    py_limited_api=LIMITED,
    optional=True,
)


class BuildKernels(build_ext):
    """Compile for speed, with sums that round like those of the definitions."""

    def build_extension(self, extension):
        """Add the options of the compiler at hand."""
        unix = self.compiler.compiler_type != "msvc"
        fast = ["-O3", "-g0", "-std=c11", "-fvisibility=hidden"]
        exact = ["-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math"]
        extension.extra_compile_args = [*fast, *exact] if unix else ["/O2", "/std:c11"]
        super().build_extension(extension)


class Wheel(bdist_wheel):
    """Tag a wheel by what it holds: the stable ABI with the extension, pure where it could not be built."""

    def finalize_options(self):
        """Ask for the tag of the stable ABI."""
        self.py_limited_api = "cp311" if LIMITED else False
        super().finalize_options()

    def run(self):
        """Build first, then decide."""
        self.run_command("build")
        built = self.get_finalized_command("build_ext").get_outputs()
        if not any(Path(path).exists() for path in built):
            self.distribution.ext_modules = []
            self.root_is_pure = True
        super().run()


setup(
    packages=[*frame, *plugins, "nbframework.configs"],
    package_dir={
        **{name: f"plugins/{name}" for name in plugins if "." not in name},
        "nbframework.configs": "configs",
    },
    ext_modules=[kernels],
    cmdclass={"build_ext": BuildKernels, "bdist_wheel": Wheel},
)
