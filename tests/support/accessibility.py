"""What axe-core finds wrong with a page."""

from typing import Any

import pytest


def serious_faults(page: Any) -> list[str]:
    """Return the serious and critical faults of the page as it is shown, each with the elements at fault."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    violations = axe.Axe().run(page).response["violations"]
    return [
        f"{violation['id']}: {violation['help']}: {[node['html'][:160] for node in violation['nodes'][:5]]}"
        for violation in violations
        if violation["impact"] in ("serious", "critical")
    ]
