"""What the articles' programs have in common: a line for each thing shown, and mistakes that are made in a process of
their own.

The lines are the same with and without a GPU. Addresses differ, so a program prints what is true of them.
"""
import faulthandler
import signal
import subprocess
import sys

import numpy as np

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # gone from NumPy 2.5; Numba 0.68 asks for it

WAITS_S = 120  # for a mistake's process: it compiles its kernel anew


def show(what, answer):
    print(f"{what}: {answer}", flush=True)


def mistake(what, name):
    """Shows how this program ends when its mistake `name` is made: by a signal, or by the error that it names."""
    done = subprocess.run([sys.executable, sys.argv[0], name], capture_output=True, text=True, check=False,
                          timeout=WAITS_S)
    if done.returncode < 0:
        show(what, signal.Signals(-done.returncode).name)
    else:
        show(what, (done.stdout.strip() or done.stderr.strip() or "nothing was said").split("\n")[-1])


def main(program, mistakes):
    """Runs the program, or one of its mistakes."""
    faulthandler.disable()
    if len(sys.argv) > 1:
        mistakes[sys.argv[1]]()
    else:
        program()
