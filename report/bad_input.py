"""What was handed in wrongly, options or files, is said in one line."""
import argparse
import sys


class BadInput(Exception):
    """What is wrong with the input, in one line."""


class Options(argparse.ArgumentParser):
    """A wrong option is one line, too, and exit code 2."""

    def error(self, message):
        print(f"{self.prog}: {message} (--help lists what there is)", file=sys.stderr)
        sys.exit(2)
