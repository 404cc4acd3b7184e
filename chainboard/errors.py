"""What can go wrong in a way the user can mend: told in a sentence, never as a traceback."""


class UserError(Exception):
    """Says what is wrong and what is allowed; ends a command with exit code 1."""
