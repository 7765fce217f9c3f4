"""Fits a profile's figures to measured cells: see rules.py for which, docs/profiles.md for why.

The simulator itself says what a cell takes with a profile, so the fit knows nothing of how costs are put together: a
figure's effect on a cell is what the simulator answers when the figure alone is changed.
"""
import concurrent.futures
import copy
import fnmatch
import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

import fidelity
import numpy
import rules

STEP = 0.2  # by how much a figure is changed to see its effect
LEAST_SPREAD = 5.0  # percent: no cell counts as steadier than this, since the model is not
RESOLVED = 0.9  # a fitted figure is called measured when the cells decide it to this share
POINTS_MAX = 16  # of a table, see sim/model/profile.h
PASSES = 3


class Measured:
    """What is known of a cell: the median of its samples, of several machines the median of theirs, so that each counts
    once; and its spread on a machine, or from one to the other."""

    def __init__(self, machines):
        medians = [fidelity.percentile(samples, 50) for samples in machines]
        self.us = fidelity.percentile(medians, 50)
        apart = 100 * (max(medians) - min(medians)) / self.us if self.us > 0 else 0.0
        self.spread = max(apart, LEAST_SPREAD, *map(fidelity.spread_of, machines))


def calibrating_cells(runs, largest):
    """{name: Measured} of the half that is for calibrating, up to `largest` MiB."""
    names = dict.fromkeys(name for run in runs for name in run["cells"])
    cells = {}
    for name in names:
        machines = fidelity.by_machine(name, runs)
        if machines and not fidelity.is_set_aside(name) and (size_of(name) or 0) <= largest << 20:
            cells[name] = Measured(list(machines.values()))
    return cells


def size_of(name):
    """Bytes of a cell `.../64K`, None of one without a size."""
    match = re.search(r"/(\d+)([KM])$", name)
    return int(match[1]) << (10 if match[2] == "K" else 20) if match else None


class Simulator:
    """The fidelity program on the simulator, under any profile."""

    def __init__(self, program, largest):
        self.program, self.largest = program, largest

    def cells(self, profile):
        """{name: microseconds} with this profile (a document)."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "candidate.json"
            path.write_text(json.dumps(profile), encoding="utf-8")
            result = subprocess.run([str(self.program), "--largest", str(self.largest)], stdout=subprocess.PIPE,
                                    text=True, check=True, env={**os.environ, "UMSIM_PROFILE": str(path)})
        lines = [json.loads(line) for line in result.stdout.splitlines()[1:]]
        return {line["cell"]: line["us"][0] for line in lines if line.get("us")}

    def several(self, profiles):
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(self.cells, profiles))


def table_at(points, size):
    """As umsim_curve_us(): straight between points, the first value below, the last line continued above."""
    if size <= points[0][0]:
        return points[0][1]
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        if size <= x1:
            return y0 + (y1 - y0) * (size - x0) / (x1 - x0)
    return y1 + max((y1 - y0) / (x1 - x0), 0) * (size - x1)


def thinned(points):
    """At most POINTS_MAX: the one that its neighbours tell best goes first."""
    points = list(points)
    while len(points) > POINTS_MAX:
        def told(i):
            return abs(table_at([points[i - 1], points[i + 1]], points[i][0]) / points[i][1] - 1)
        del points[min(range(1, len(points) - 1), key=told)]
    return points


def rising(points, weights):
    """A larger size never takes less: neighbours that say otherwise take their weighted mean."""
    pools = []
    for (_, us), weight in zip(points, weights):
        pools.append([us, weight, 1])
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            us1, weight1, count1 = pools.pop()
            us0, weight0, count0 = pools.pop()
            pools.append([(us0 * weight0 + us1 * weight1) / (weight0 + weight1), weight0 + weight1, count0 + count1])
    values = [us for us, _, count in pools for _ in range(count)]
    return [[size, us] for (size, _), us in zip(points, values)]


class Fit:
    """A profile on its way: `costs` are the figures of one group of the document that is made, `by` says how."""

    def __init__(self, simulator, base, measured, group="costs", by=rules):
        self.simulator, self.measured, self.group, self.by = simulator, measured, group, by
        self.profile = copy.deepcopy(base)
        self.costs, self.base = self.profile[group], copy.deepcopy(base[group])
        self.found = {}  # figure: the cells that it is from
        self.effects = {}  # wave: of each group its figures, its cells, and how much these move with those

    # ---- tables and single figures ----

    def cells_of_table(self, figure):
        """{size: [cell]}"""
        sizes = {}
        for prefix in self.by.TABLES[figure]:
            for name in self.measured:
                if name.rpartition("/")[0] == prefix:
                    sizes.setdefault(size_of(name), []).append(name)
        return sizes

    def lay_points(self):
        """Each table gets its points where cells are; outside of these the base's, in proportion."""
        for figure in self.by.TABLES:
            sizes, old = sorted(self.cells_of_table(figure)), self.base[figure]["points"]
            if len(sizes) < 2:
                continue
            self.found[figure] = [name for names in self.cells_of_table(figure).values() for name in names]
            points = [p for p in old if p[0] < sizes[0]] + [[size, table_at(old, size)] for size in sizes] + \
                [p for p in old if p[0] > sizes[-1]]
            self.costs[figure]["points"] = [list(p) for p in points]
        for figure, name in self.by.SINGLES.items():
            if name in self.measured and figure in self.costs:
                self.found[figure] = [name]

    def shift(self, modelled):
        for figure in self.by.TABLES:
            if figure in self.found:
                self.shift_table(figure, modelled)
        for figure, name in self.by.SINGLES.items():
            if figure in self.found and name in modelled:
                value = self.costs[figure]["value"] + self.measured[name].us - modelled[name]
                self.costs[figure]["value"] = max(value, 0.0)

    def shift_table(self, figure, modelled):
        points, sizes = self.costs[figure]["points"], self.cells_of_table(figure)
        low, high = min(sizes), max(sizes)
        before = {low: table_at(points, low), high: table_at(points, high)}
        inner, weights = [], []
        for size in sorted(sizes):
            names = [name for name in sizes[size] if name in modelled]
            weight = [self.measured[name].spread ** -2 for name in names]
            move = sum(w * (self.measured[name].us - modelled[name]) for w, name in zip(weight, names)) / sum(weight)
            inner.append([size, max(table_at(points, size) + move, 1e-3)])
            weights.append(sum(weight))
        inner = rising(inner, weights)
        outer = [[size, us * inner[0][1] / before[low]] for size, us in points if size < low] + \
            [[size, us * inner[-1][1] / before[high]] for size, us in points if size > high]
        self.costs[figure]["points"] = sorted(outer + inner)

    # ---- figures that share cells ----

    def unknowns(self, figures):
        """The figures that a group has to find."""
        return [name for pattern in figures for name in fnmatch.filter(self.costs, pattern)
                if name not in self.by.NOT_FITTED]

    @staticmethod
    def get(costs, name):
        """What the time is proportional to: the figure, of a bandwidth its inverse, of a table its last point."""
        figure = costs[name]
        if "points" in figure:
            return figure["points"][-1][1]
        return 1 / figure["value"] if figure["unit"] == "GB/s" else figure["value"]

    @staticmethod
    def put(costs, name, value):
        figure = costs[name]
        if "points" in figure:
            factor = value / figure["points"][-1][1]
            figure["points"] = [[size, us * factor] for size, us in figure["points"]]
        else:
            figure["value"] = 1 / value if figure["unit"] == "GB/s" else value

    def rows(self, pattern, modelled):
        """The cells of a group. Those of a table tell nothing else: the table follows them."""
        tables = {prefix for prefixes in self.by.TABLES.values() for prefix in prefixes}
        return [name for name in self.measured if name in modelled and re.match(pattern, name) and
                name.rpartition("/")[0] not in tables]

    def look(self, wave, modelled):
        """The effect of each unknown on its group's cells, all groups of the wave at once."""
        groups = [self.unknowns(figures) for figures, _ in self.by.WAVES[wave]]
        trials = []
        for turn in range(max(map(len, groups))):
            trial = copy.deepcopy(self.profile)
            for group in groups:
                if turn < len(group):
                    at = self.get(self.costs, group[turn])
                    self.put(trial[self.group], group[turn], at * (1 + STEP) if at > 0 else 1.0)
            trials.append(trial)
        answers = self.simulator.several(trials)
        self.effects[wave] = []
        for (_, pattern), group in zip(self.by.WAVES[wave], groups):
            names = self.rows(pattern, modelled)
            effect = numpy.zeros((len(names), len(group)))
            for k, unknown in enumerate(group):
                at = self.get(self.costs, unknown)
                step = at * STEP if at > 0 else 1.0
                effect[:, k] = [(answers[k][name] - modelled[name]) / step for name in names]
            self.effects[wave].append((group, names, effect))

    def solve(self, wave, modelled):
        for group, names, effect in self.effects[wave]:
            if names:
                self.solve_group(group, names, effect, modelled)

    def solve_group(self, group, names, effect, modelled):
        """What the cells do not decide stays as in the base: the least decided first, then the rest is solved again."""
        us = numpy.array([self.measured[name].us for name in names])
        error = (us - numpy.array([modelled[name] for name in names])) / us
        weight = 100 / numpy.array([self.measured[name].spread for name in names])
        at = numpy.array([self.get(self.costs, name) for name in group])
        base = numpy.array([self.get(self.base, name) for name in group])
        effects = effect * base / us[:, None]
        error = error - effects @ ((base - at) / base)  # all begin at the base
        decided = list(range(len(group)))
        while decided:
            x, shares = bounded_least_squares(effects[:, decided], error, weight)
            if shares.min() >= RESOLVED:
                break
            del decided[int(shares.argmin())]
        for k, unknown in enumerate(group):
            if k not in decided:
                self.put(self.costs, unknown, base[k])
                self.found.pop(unknown, None)
        for k, move in zip(decided, x if decided else []):
            self.put(self.costs, group[k], base[k] * (1 + move))
            self.found[group[k]] = [name for name, e in zip(names, effects[:, k]) if abs(e) > 0.02]

    def run(self, progress):
        modelled = self.simulator.cells(self.profile)
        self.measured = {name: cell for name, cell in self.measured.items() if name in modelled}
        self.lay_points()
        for turn in range(PASSES):
            modelled = self.simulator.cells(self.profile)
            progress(f"pass {turn + 1} of {PASSES}: {self.median_error(modelled):.1f}% median error")
            self.shift(modelled)
            for wave in range(len(self.by.WAVES)):
                modelled = self.simulator.cells(self.profile)
                if wave not in self.effects or (turn == 1 and wave in self.by.CURVED):
                    self.look(wave, modelled)
                self.solve(wave, modelled)
        self.shift(self.simulator.cells(self.profile))
        for figure in self.by.TABLES:
            self.costs[figure]["points"] = thinned(self.costs[figure]["points"])
        return self.profile, self.found

    def median_error(self, modelled):
        return fidelity.percentile([100 * abs(modelled[name] / cell.us - 1) for name, cell in self.measured.items()
                                    if name in modelled], 50)


def bounded_least_squares(effects, error, weight):
    """
    The x that makes sum (weight * (error - effects x))^2 + sum x^2 least, with x >= -0.9: shares by which figures move.
    Cells that stay far off count less (Huber's weights). @return x, and the share to which the cells decided each
    """
    x = numpy.zeros(effects.shape[1])
    far = numpy.ones(len(error))
    for _ in range(20):
        a = effects * (weight * far)[:, None]
        b = error * weight * far
        normal, right = a.T @ a, a.T @ b
        x = descend(normal + numpy.eye(len(x)), right, x)
        left = numpy.abs(weight * (error - effects @ x))
        far = numpy.sqrt(numpy.minimum(1, 2 / numpy.maximum(left, 1e-9)))
    resolution = numpy.diag(numpy.linalg.solve(normal + numpy.eye(len(x)), normal))
    return x, resolution


def descend(matrix, right, x, least=-0.9):
    """Minimises x'Mx/2 - right'x for x >= least, a coordinate at a time."""
    for _ in range(500):
        before = x.copy()
        for k in range(len(x)):
            x[k] = max(x[k] + (right[k] - matrix[k] @ x) / matrix[k, k], least)
        if numpy.abs(x - before).max() < 1e-7:
            break
    return x
