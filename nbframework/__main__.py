"""``python -m nbframework`` is the ``nbf`` command."""

from nbframework.cli import main

try:
    main()
finally:
    # An interrupt that passes through text being executed (as when the standard library makes a data class) stays
    # marked as unhandled, and Python then dies of the signal whatever exit code it was given. The next text that is
    # executed takes the mark away.
    exec("")  # noqa: S102
