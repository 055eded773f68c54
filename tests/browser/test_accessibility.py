"""The judge of the browser tests notices what it is there to notice."""

from typing import Any

from support.accessibility import serious_faults


def test_a_button_without_a_name_is_a_serious_fault(page: Any) -> None:
    page.set_content("<html lang='en'><title>t</title><main><button></button></main></html>")
    assert [fault.split(":")[0] for fault in serious_faults(page)] == ["button-name"]


def test_a_labelled_button_is_no_fault(page: Any) -> None:
    page.set_content("<html lang='en'><title>t</title><main><button>go</button></main></html>")
    assert serious_faults(page) == []
