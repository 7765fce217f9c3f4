"""The error that says what is wrong with a file that was handed in."""


class BadInput(Exception):
    """What is wrong with the input, in one line."""
