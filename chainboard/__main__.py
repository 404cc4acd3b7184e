"""`python -m chainboard` is `chainboard`."""

from chainboard.cli import main

main()
