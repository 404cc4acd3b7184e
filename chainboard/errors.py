"""Errors that the user can fix: one sentence, never a traceback."""


class UserError(Exception):
    """Says what is wrong and what is allowed; ends a command with exit code 1."""
