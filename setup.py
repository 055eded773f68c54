"""The package map (plugins and configs lie outside the package folder) and the optional extension."""

from setuptools import find_packages, setup

frame = find_packages(".", include=["nbframework", "nbframework.*"])
plugins = find_packages("plugins", include=["nbframework_*"])

setup(
    packages=[*frame, *plugins, "nbframework.configs"],
    package_dir={
        **{name: f"plugins/{name}" for name in plugins if "." not in name},
        "nbframework.configs": "configs",
    },
)
