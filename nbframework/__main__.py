"""``python -m nbframework`` is the ``nbf`` command."""

from nbframework.cli import main

main()
