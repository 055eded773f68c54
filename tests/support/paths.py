"""Where the checkout and the shared material are."""

import os
from pathlib import Path

ROOT = Path(__file__).parents[2]
SHARED = Path(os.environ.get("NBFRAMEWORK_SHARED", ROOT.parent / "shared"))


def absent(part: str) -> str:
    """Why a test that needs a part of the shared material is skipped."""
    return f"the shared {part} are not at {SHARED / part}; set NBFRAMEWORK_SHARED to their folder"
