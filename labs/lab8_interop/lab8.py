#!/usr/bin/env python3
"""lab8.py: the Python half of lab 8. lab8 (lab8.c) starts it once for each library, and reads one line of JSON.

    lab8.py share LIBRARY N    shares a vector of N numbers with LIBRARY
    lab8.py views N            sees one array of N records in several ways
    lab8.py mistake NAME       makes a mistake, and says how it was caught

By hand, after make all: labs/lab8_interop/lab8.py share numpy 1000
"""
import json
import sys


def cannot(why):
    print(f"lab8.py: {why}", file=sys.stderr)
    sys.exit(2)


def main(arguments):
    try:
        import speakers
        import umlab
        from mistakes import MISTAKES
        from views import views
    except ImportError as error:
        return {"skip": f"{error.name or error} is missing: ./setup.sh, or pip install numpy"}
    if len(arguments) == 3 and arguments[0] == "share" and arguments[1] in speakers.SPEAKERS and arguments[2].isdigit():
        try:
            return speakers.share(arguments[1], int(arguments[2]))
        except speakers.Skip as why:
            return {"skip": str(why)}
        except (umlab.Error, MemoryError) as why:
            cannot(str(why))
    if len(arguments) == 2 and arguments[0] == "views" and arguments[1].isdigit():
        return {"rows": views(int(arguments[1]))}
    if len(arguments) == 2 and arguments[0] == "mistake" and arguments[1] in MISTAKES:
        said = MISTAKES[arguments[1]]()
        return {"verified": said is not None, "said": said or "it was not caught"}
    cannot(f"share {'|'.join(speakers.SPEAKERS)} N, views N, or mistake {'|'.join(MISTAKES)}")


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1:])), flush=True)
