"""What the benchmarks say of the machine that they ran on."""

import pytest

from benchmarks.machine import named


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ("fpu avx avx2 avx512f avx512bw", "Some CPU with AVX-512"),
        ("fpu avx avx2 fma", "Some CPU with AVX2"),
        ("fpu sse2 avx2x", "Some CPU"),
    ],
)
def test_a_processor_is_named_with_its_widest_vectors(flags: str, expected: str) -> None:
    assert named(f"processor\t: 0\nmodel name\t: Some CPU\nflags\t\t: {flags}\n") == expected
