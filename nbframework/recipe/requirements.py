"""What a recipe needs to be installed."""

from importlib.metadata import PackageNotFoundError, version


def unmet(requirement: str) -> str | None:
    """Return what is wrong where the requirement is not met by what is installed, else None."""
    from packaging.requirements import InvalidRequirement, Requirement

    try:
        wanted = Requirement(requirement)
    except InvalidRequirement as error:
        return f"{requirement!r} is no requirement ({error})"
    try:
        found = version(wanted.name)
    except PackageNotFoundError:
        return f"{wanted.name} is not installed, the recipe needs {requirement}"
    if not wanted.specifier.contains(found, prereleases=True):
        return f"{wanted.name} {found} is installed, the recipe needs {requirement}"
    return None
