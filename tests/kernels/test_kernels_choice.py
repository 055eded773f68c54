"""Which form of the kernels is in use, and what asking for it costs."""

import os
import subprocess
import sys

import pytest

from nbframework import kernels
from nbframework.kernels import definitions


def answer(code: str, **environment: str) -> str:
    result = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | environment, capture_output=True, text=True, check=True
    )
    return result.stdout.strip()


def test_environment_asks_for_numpy() -> None:
    code = "from nbframework import kernels; print(kernels.implementation(), kernels.class_counts.__module__)"
    expected = "numpy nbframework.kernels.definitions.counting"
    assert answer(code, NBFRAMEWORK_KERNELS="numpy") == expected


def test_asking_imports_no_numpy() -> None:
    code = "import sys; from nbframework.kernels import implementation; implementation(); print('numpy' in sys.modules)"
    assert answer(code) == "False"


def test_without_the_extension_the_definitions_are_used() -> None:
    code = (
        "import sys; sys.modules['nbframework.kernels._compiled'] = None; "
        "from nbframework import kernels; print(kernels.implementation(), kernels.log_scores.__module__)"
    )
    assert answer(code, NBFRAMEWORK_KERNELS="") == "numpy nbframework.kernels.definitions.scoring"


@pytest.mark.parametrize("asked", ["Numpy", "foo", " "])
def test_another_form_is_refused_with_those_there_are(asked: str) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "nbframework", "fit", "sbc", "iris", "-o", os.devnull],
        env=os.environ | {"NBFRAMEWORK_KERNELS": asked},
        capture_output=True,
        text=True,
        check=False,
    )
    expected = f"error: NBFRAMEWORK_KERNELS: found {asked!r}, expected 'compiled', 'numpy' or nothing\n"
    assert (result.returncode, result.stdout, result.stderr) == (3, "", expected)


def test_compiled_kernels_that_do_not_load_are_refused_where_they_are_asked_for() -> None:
    code = (
        "import sys; sys.modules['nbframework.kernels._compiled'] = None\n"
        "from nbframework import NBFrameworkError, kernels\n"
        "try: kernels.class_counts\n"
        "except NBFrameworkError as error: print(error)"
    )
    expected = (
        "NBFRAMEWORK_KERNELS: found 'compiled', expected 'numpy' or nothing where the compiled kernels do not load"
    )
    assert answer(code, NBFRAMEWORK_KERNELS="compiled").startswith(expected)


def test_exposed_names() -> None:
    for name in kernels.__all__:
        assert callable(getattr(kernels, name))
    assert set(definitions.__all__) == set(kernels.__all__) - {"implementation"}
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = kernels.nothing
