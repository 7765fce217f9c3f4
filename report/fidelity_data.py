"""The model beside hardware: cells of tests/fidelity, modelled here, measured on the machine of its record.

A file (schema umlab-report-fidelity/1) keeps both:

    {"schema": ..., "profile": "h200-pcie5", "measured": "NVIDIA H200, driver ..., CUDA ...",
     "cells": [{"name", "measured_us", "low_us", "high_us", "modelled_us", "set_aside", "steady"}]}
"""
import sys
from pathlib import Path

import results

TESTS = Path(__file__).resolve().parents[1] / "tests" / "fidelity"  # not in a handout
LARGEST_MIB = 16  # larger cells take a quarter of a minute
NUMBERS = ("measured_us", "low_us", "high_us", "modelled_us")


def available(program):
    return (TESTS / "fidelity.py").exists() and Path(program).exists()


def run(program, largest_mib=LARGEST_MIB):
    """What make fidelity compares, up to a size; the times that hardware has none of are left out."""
    sys.path.insert(0, str(TESTS))
    import fidelity

    runs = fidelity.runs_of([fidelity.MEASURED])
    what, modelled = fidelity.samples(str(program), "--largest", str(largest_mib))
    cells = [fidelity.Cell(name, runs, modelled[name]) for name in modelled]
    conditions = runs[0]["conditions"]
    toolkit = conditions["toolkit"].split(",")[0]
    return {"schema": results.FIDELITY_SCHEMA, "profile": what["profile"],
            "measured": f"{conditions['device']}, driver {conditions['driver']}, CUDA {toolkit}",
            "cells": [{"name": cell.name, "measured_us": cell.median, "low_us": cell.low, "high_us": cell.high,
                       "modelled_us": cell.model_us, "set_aside": fidelity.is_set_aside(cell.name),
                       "steady": cell.spread < fidelity.STEADY}
                      for cell in cells if cell.timed and cell.model_us > 0 and not fidelity.is_figure(cell.name)]}


def check(document, where):
    """Raises BadInput where a figure could not be drawn from it."""
    if not isinstance(document.get("profile"), str) or not isinstance(document.get("measured"), str):
        raise results.BadInput(f"{where}: profile or measured is missing")
    cells = document.get("cells")
    if not isinstance(cells, list) or not cells:
        raise results.BadInput(f"{where}: no cells")
    for cell in cells:
        good = isinstance(cell, dict) and isinstance(cell.get("name"), str)
        for key in NUMBERS:
            value = cell.get(key) if good else None
            good = good and isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0
        if not good:
            raise results.BadInput(f"{where}: a cell without its name or with a time that is none")
    return document
