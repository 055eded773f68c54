"""An evidence page open in a browser, and what it shows."""

from pathlib import Path
from typing import Any

import numpy as np

from nbframework import Dataset
from nbframework.classifier import FittedClassifier
from nbframework.report import evidence_page


class OpenPage:
    """One page.

    Parameters
    ----------
    browser_page
        Playwright's.
    folder
        Where the file is written.
    fitted, dataset, options
        As of `evidence_page`.
    """

    def __init__(
        self, browser_page: Any, folder: Path, fitted: FittedClassifier, dataset: Dataset, **options: Any
    ) -> None:
        self.page, self.fitted, self.dataset = browser_page, fitted, dataset
        path = folder / "evidence.html"
        path.write_text(evidence_page(fitted, dataset, **options), encoding="utf-8")
        browser_page.goto(path.as_uri())
        options_shown = browser_page.eval_on_selector_all("#example option", "all => all.map((one) => one.text)")
        self._rows = [text.split(" \u2013")[0] for text in options_shown]

    def posterior(self) -> np.ndarray:
        """Return the (C,) posterior that the page shows, in full precision."""
        shown = self.page.evaluate(
            "[...document.querySelectorAll('#posterior-bars li')].map((item) => Number(item.dataset.posterior))"
        )
        return np.array(shown)

    def predicted(self) -> str:
        """Return the class that is marked as predicted."""
        return str(self.page.evaluate("document.querySelector('#posterior-bars .winner').dataset.class"))

    def load(self, row: int) -> None:
        """Load a row, counted from 0, of the data."""
        self.page.select_option("#example", str(self._rows.index(f"row {row + 1}")))

    def view(self, name: str) -> None:
        """Show one of the views."""
        self.page.click(f"#tab-{name}")

    def choose(self, attribute: str, value: str) -> None:
        """Click a value of an attribute."""
        card = self.page.locator(f"fieldset[data-attribute={attribute!r}]")
        card.get_by_label(value, exact=True).check()

    def set_parameter(self, path: str, value: float) -> None:
        """Type a value of a parameter."""
        self.page.fill(f"input[data-path={path!r}]", str(value))

    def python(self, **values: Any) -> np.ndarray:
        """Return the (C,) posterior of a case in Python; attributes that are not named are unknown."""
        return posterior_of(self.fitted, **values)


def case_of(fitted: FittedClassifier, **values: Any) -> Dataset:
    """Return one row with some values, the others unknown."""
    schema = fitted.schema
    columns = [[values.get(a.name, None if a.is_nominal else np.nan)] for a in schema.attributes]
    return Dataset.from_columns(schema.attributes, columns, schema.class_attribute.name)


def posterior_of(fitted: FittedClassifier, **values: Any) -> np.ndarray:
    """Return the (C,) posterior of one row with some values, the others unknown."""
    return fitted.predict_proba(case_of(fitted, **values))[0]
