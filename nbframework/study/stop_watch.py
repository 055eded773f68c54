"""What work costs: processor and wall-clock time."""

import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Cost:
    """What was spent.

    Parameters
    ----------
    cpu, elapsed
        Processor and wall-clock time in seconds.
    """

    cpu: float
    elapsed: float

    def plus(self, other: "Cost") -> "Cost":
        """Return both together."""
        return Cost(self.cpu + other.cpu, self.elapsed + other.elapsed)

    def divided_by(self, parts: int) -> "Cost":
        """Return one of so many equal parts."""
        return Cost(self.cpu / parts, self.elapsed / parts)


class StopWatch:
    """Tells what was spent since it was made or asked last."""

    def __init__(self) -> None:
        self._cpu, self._elapsed = time.process_time(), time.perf_counter()

    def lap(self) -> Cost:
        """Return it, and start again."""
        cpu, elapsed = self._cpu, self._elapsed
        self._cpu, self._elapsed = time.process_time(), time.perf_counter()
        return Cost(self._cpu - cpu, self._elapsed - elapsed)
