"""A real browser for pages: headless Chromium driven by Playwright; the tests are skipped where either is absent."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""Programs that are Chromium, by their names on various systems."""
OWN_SCHEMES = ("file:", "data:", "blob:", "about:")
"""Where a page that needs no network may load from."""
TIMEOUT = 20_000
"""Milliseconds after which a step has failed; long, because the machine may be busy."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One browser for a file of tests; closed with it, because an open one keeps an event loop running."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = next((found for name in NAMES if (found := shutil.which(name))), None)
    if program is None:
        pytest.skip(f"no browser: none of {', '.join(NAMES)} is installed")
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A fresh page; the test fails if it logged an error, raised one, or asked the network for anything."""
    with watched_page(browser) as (opened, faults):
        yield opened
    assert faults == []


@pytest.fixture(scope="module")
def kept_page(browser: Any) -> Iterator[tuple[Any, list[str]]]:
    """One page for a file of tests, and what it did wrong; `reused_page` hands it out."""
    with watched_page(browser) as (opened, faults):
        yield opened, faults


@pytest.fixture
def reused_page(kept_page: tuple[Any, list[str]]) -> Iterator[Any]:
    """The same page for all tests of a file that change none of its settings: quicker than `page`, as strict."""
    opened, faults = kept_page
    faults.clear()
    yield opened
    assert faults == []


@contextmanager
def watched_page(browser: Any) -> Iterator[tuple[Any, list[str]]]:
    """Yield a page in a context of its own, and the list in which its faults gather."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    context.set_default_timeout(TIMEOUT)
    opened = context.new_page()
    faults: list[str] = []
    opened.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.on("dialog", lambda dialog: (faults.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    opened.on(
        "request",
        lambda request: None if request.url.startswith(OWN_SCHEMES) else faults.append(f"request: {request.url[:200]}"),
    )
    yield opened, faults
    context.close()
