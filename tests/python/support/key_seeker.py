"""A submission for lab 1 that looks for a key: support/seeks_a_key.c."""
from pathlib import Path

FOUND, DONE = "HARM: the key is in", "SEARCHED: processes, memory"


def source(path, text):
    """@param path where the key is; text: its digits"""
    inverted = ", ".join(str(byte ^ 0xff) for byte in text.encode("ascii"))
    return (f'#define KEY_PATHS "{path}", "{path.parent}"\n#define INVERTED {inverted}\n'
            + Path(__file__).with_name("seeks_a_key.c").read_text(encoding="utf-8"))
