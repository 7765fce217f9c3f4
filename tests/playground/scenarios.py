"""Random scenarios of the playground (docs/playground/scenario.h): the same for the same seed."""
import random

KB, MB = 1 << 10, 1 << 20
PROFILES = ("h200-pcie5", "tiny", "limited")
OF_TWO = ("h200-nvlink2", "h200-pair", "h200-mixed")


def size(number):
    return f"{number // MB}M" if number % MB == 0 else f"{number // KB}K" if number % KB == 0 else str(number)


def part(rng, array):
    """FROM LENGTH, or nothing: all of it."""
    if array < 16 or rng.random() < 0.5:
        return ""
    grain = rng.choice([grain for grain in (4, 4 * KB, 64 * KB, 2 * MB) if grain < array])
    first = rng.randrange(0, array // grain) * grain
    length = rng.randrange(1, (array - first) // grain + 1) * grain
    return f" {size(first)} {size(length)}"


def access(rng, array, sides=("host", "gpu")):
    side, verb = rng.choice(sides), rng.choice(("read", "write"))
    pattern = rng.choice(("walk", "walk", "stride", "random", "byte"))
    if pattern == "byte":
        return f"{side} {verb} byte {rng.randrange(array)}"
    if pattern == "stride":
        return f"{side} {verb} stride {size(4 << rng.randrange(0, 20))}{part(rng, array)}"
    if pattern == "random":
        return f"{side} {verb} random {min(rng.randrange(1, 2000), array)} {rng.randrange(100)}{part(rng, array)}"
    return f"{side} {verb} walk{part(rng, array)}"


def advice(rng, array):
    name = rng.choice(("read-mostly", "no-read-mostly", "preferred gpu", "preferred host", "no-preferred",
                       "accessed gpu", "accessed host", "no-accessed gpu", "no-accessed host"))
    return f"advise {name}{part(rng, array)}"


def step(rng, array):
    kind = rng.random()
    if kind < 0.6:
        return access(rng, array)
    if kind < 0.75:
        return advice(rng, array)
    if kind < 0.9:
        return f"prefetch {rng.choice(('gpu', 'host'))}{part(rng, array)}"
    first = 4 * rng.randrange(array // 4)
    length = min(4 * rng.randrange(1, 64 * KB // 4 + 1), array - first)
    return f"turns {rng.choice((2, 5, 12, 30))} {first} {length}"


def step_of_two(rng, array):
    """Of the host and two GPUs."""
    kind, sides = rng.random(), ("host", "gpu", "gpu1")
    if kind < 0.65:
        return access(rng, array, sides)
    if kind < 0.85:
        name = rng.choice(("read-mostly", "no-read-mostly", "no-preferred", "preferred", "accessed", "no-accessed"))
        whose = f" {rng.choice(sides)}" if name in ("preferred", "accessed", "no-accessed") else ""
        return f"advise {name}{whose}{part(rng, array)}"
    return f"prefetch {rng.choice(sides)}{part(rng, array)}"


def make_of_two(number, seed=1):
    """The same for two GPUs: with a link, without, and of different kinds; sometimes with little memory."""
    rng = random.Random(f"two/{seed}/{number}")
    array = rng.choice((4 * rng.randrange(1, 4 * KB), 4 * KB * rng.randrange(1, 600), MB * rng.choice((2, 4, 8, 16))))
    lines = [f"profile {rng.choices(OF_TWO, (4, 2, 1))[0]}"]
    if rng.random() < 0.25 and "mixed" not in lines[0]:  # a program's profile can say that of one kind only
        lines.append(f"device {size(2 * MB * rng.randrange(1, 5))}")
    lines.append(f"array {size(array)}")
    lines += [step_of_two(rng, array) for _ in range(rng.randrange(3, 12))]
    return ";".join(lines)


def make(number, seed=1):
    """Scenario `number` of the list that belongs to the seed, in one line."""
    rng = random.Random(f"{seed}/{number}")
    array = rng.choice((4 * rng.randrange(1, 4 * KB), 4 * KB * rng.randrange(1, 600), 64 * KB * rng.randrange(1, 128),
                        MB * rng.randrange(1, 17), MB * rng.choice((2, 8, 16, 24))))
    lines = [f"profile {rng.choices(PROFILES, (6, 3, 1))[0]}"]
    if rng.random() < 0.4:
        lines.append(f"device {size(2 * MB * rng.randrange(1, 9))}")
    lines.append(f"array {size(array)}")
    lines += [step(rng, array) for _ in range(rng.randrange(1, 9))]
    return ";".join(lines)
