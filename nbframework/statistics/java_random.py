"""The random numbers of Java, which Weka draws its folds and its artificial data sets with."""

_MULTIPLIER, _INCREMENT, _MASK = 0x5DEECE66D, 0xB, (1 << 48) - 1


class JavaRandom:
    """The generator that the documentation of ``java.util.Random`` specifies: a linear congruence modulo 2**48.

    Parameters
    ----------
    seed
        Any integer.
    """

    def __init__(self, seed: int) -> None:
        self._state = (seed ^ _MULTIPLIER) & _MASK

    def next_bits(self, bits: int) -> int:
        """Return the top ``bits`` (1 to 31) of the next state as an unsigned number."""
        self._state = (self._state * _MULTIPLIER + _INCREMENT) & _MASK
        return self._state >> (48 - bits)

    def next_below(self, bound: int) -> int:
        """Return a number of 0 to ``bound`` - 1, as ``nextInt(bound)``; ``bound`` is 1 to 2**31 - 1."""
        if bound & -bound == bound:
            return (bound * self.next_bits(31)) >> 31
        while True:
            bits = self.next_bits(31)
            value = bits % bound
            # the last, incomplete stretch of the range is drawn again, so that all numbers are equally likely
            if bits - value + bound - 1 < 1 << 31:
                return value
