"""Where results come from: recipes in full, the versions behind them, the machine."""

import json
import os
import platform
import sys
from typing import Any

from nbframework.kernels import implementation
from nbframework.plugins import installed
from nbframework.study.plan import Plan, frame_version, providers


def machine() -> dict[str, Any]:
    """Return what the results may depend on outside of the study: software versions, processor, kernels."""
    import numpy

    return {
        "nbframework": frame_version(),
        "kernels": implementation(),
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "system": f"{platform.system()} {platform.release()}",
        "processor": platform.machine(),
        "cores": os.cpu_count() or 1,
        "byte_order": sys.byteorder,
    }


def recipe_rows(plan: Plan) -> list[tuple[str, str, str, str]]:
    """Return key, identity, full text and providers of each recipe of a plan, as the store keeps them."""
    rows = {}
    for task in plan.tasks:
        if task.recipe_key not in rows:
            text = json.dumps(task.recipe.resolved(), ensure_ascii=False)
            found = json.dumps(providers(task.recipe, installed()), sort_keys=True)
            rows[task.recipe_key] = (task.recipe_key, task.recipe.identity(), text, found)
    return list(rows.values())
