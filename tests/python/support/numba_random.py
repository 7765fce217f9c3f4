"""Random Numba kernels: what each has computed, as a line (umpython numba_random.py SEED COUNT).

They have barriers, grid-stride loops, or conditions at their beginning.

Threads exchange values through shared memory, under conditions that are the same for a block's threads, provably or
not, in loops, after some threads have returned; between barriers they do what each likes. A kernel's result depends on
no order of threads, so it is the same however threads are run (numba_regions.py).
"""
import hashlib
import random
import sys
import warnings

import numpy as np
from numba import cuda, float32, int32, int64

warnings.simplefilter("ignore")
HEAD = """
def kernel{number}(x, threes, out, limit):
    s = cuda.shared.array(256, int32)
    w = cuda.shared.array(4, int64)
    f = cuda.shared.array(256, float32)
    l = cuda.local.array(4, int32)
    t = cuda.threadIdx.y * cuda.blockDim.x + cuda.threadIdx.x
    n = cuda.blockDim.x * cuda.blockDim.y
    a = int32(t * 7 + cuda.blockIdx.x)
    b = int32(x[t])
    c = int32(3)
    u = float32(t) * float32(0.25)
    s[t] = 0
    f[t] = float32(0)
    for i in range(4):
        l[i] = i
    cuda.syncthreads()
"""
TAIL = """
    at = cuda.blockIdx.x * n + t
    out[at] = a ^ (b << 3) ^ c
    out[at + {half}] = int32(u * float32(8)) + l[a & 3] + l[1]
"""


class Kernel:
    """Writes one kernel's text."""

    def __init__(self, seed, number):
        self.draw, self.number, self.lines, self.count = random.Random(seed * 1000 + number), number, [], 0
        self.returned, self.half = False, HALF  # half: of the results

    def name(self):
        self.count += 1
        return f"v{self.count}"

    def say(self, depth, text):
        self.lines += ["    " * depth + line for line in text.split("\n")]

    def alike(self):
        """A condition or a number that is the same for all threads of a block."""
        return self.draw.choice(("cuda.blockIdx.x % 2", "limit", "limit % 3", "cuda.gridDim.x", "x[3] & 3", "c & 3",
                                 "2", "x[cuda.blockIdx.x] & 1", "(limit + cuda.blockIdx.x) % 4"))

    def seeming(self):
        """The same for all threads, which nobody can prove."""
        return self.draw.choice(("threes[t]", "threes[t] - 1", "(threes[a & 7] + limit) % 4"))

    def own(self, depth):
        """Something that each thread does for itself."""
        self.say(depth, self.draw.choice((
            "a = a * 3 + b", "b = (b ^ a) & 1023", "u = u * float32(0.5) + float32(a & 15)", "l[a & 3] = b",
            "b += l[(a >> 2) & 3]", "a += x[(b + t) & 31]", "if (a ^ t) & 1:\n    b += 5\nelse:\n    a -= 3",
            "if t % 3 == 1:\n    a = a + x[t & 31]\n    u += float32(1)", "if t < limit:\n    b ^= 21",
            "k = a & 7\nwhile k > 0:\n    b += k * t\n    k -= 1 + (t & 1)",
            "for i in range(t & 3):\n    a += i\n    if a & 8:\n        break\n    l[i] += 1",
            "for i in range(limit):\n    a += i ^ b", "a = a // (1 + (b & 3))")))

    def meet(self, depth):
        """Something that threads do together."""
        draw, shift = self.draw, self.draw.randrange(1, 40)
        kind = draw.randrange(7)
        if kind < 2:
            self.say(depth, f"s[t] = a\ncuda.syncthreads()\nb += s[(t + {shift}) % n]\ncuda.syncthreads()")
        elif kind == 2:
            self.say(depth, f"f[t] = u\ncuda.syncthreads()\nu = u * float32(0.5) + f[(t * 3 + {shift}) % n]\n"
                            "cuda.syncthreads()")
        elif kind == 3:
            how = draw.choice(("count", "and", "or"))
            self.say(depth, f"c += cuda.syncthreads_{how}(int32(a & {draw.choice((1, 3))}))")
        elif kind == 4 and not self.returned:
            self.say(depth, "k = n // 2\nwhile k > 0:\n    if t < k:\n        s[t] = s[t] + s[t + k]\n"
                            "    cuda.syncthreads()\n    k //= 2")
        elif kind == 5 and not self.returned:
            name = self.name()
            self.say(depth, f"if t == {draw.choice((0, 5))}:\n    w[0] = b & 3\ncuda.syncthreads()\n{name} = w[0]\n"
                            f"cuda.syncthreads()\nwhile {name} > 0:\n    s[t] = a + {name}\n    cuda.syncthreads()\n"
                            f"    a ^= s[(t + 1) % n]\n    cuda.syncthreads()\n    {name} -= 1")
        else:
            self.say(depth, "cuda.syncthreads()")

    def part(self, depth, most):
        before = len(self.lines)
        for _ in range(self.draw.randrange(1, 4)):
            kind = self.draw.randrange(12)
            if kind < 4 or most == 0:
                self.own(depth)
                if kind == 0 or most == 0:
                    self.meet(depth)
            elif kind < 7:
                self.meet(depth)
            elif kind < 9:
                name = self.name()
                bound = self.seeming() if self.draw.random() < 0.1 else self.alike()
                self.say(depth, f"for {name} in range({bound}):\n    a += {name}")
                self.part(depth + 1, most - 1)
            elif kind == 9:
                self.say(depth, f"if {self.alike()} {self.draw.choice(('>', '==', '<'))} {self.draw.randrange(3)}:")
                self.part(depth + 1, most - 1)
                if self.draw.randrange(2):
                    self.say(depth, "else:")
                    self.part(depth + 1, most - 1)
            elif kind == 10:
                name = self.name()
                self.say(depth, f"{name} = {self.draw.choice((3, 8, 20))}\nwhile {name} > {self.draw.randrange(3)}:")
                self.part(depth + 1, most - 1)
                if self.draw.randrange(3) == 0:
                    self.say(depth + 1, f"if {self.alike()} == 1:\n    break")
                self.say(depth + 1, self.draw.choice((f"{name} //= 2", f"{name} -= 1 + limit % 2", f"{name} >>= 1")))
            elif depth == 1:
                self.say(depth, self.draw.choice((
                    "if t >= n - limit:\n    return", "if cuda.blockIdx.x == 2:\n    return",
                    "if (t & 7) == 5:\n    out[cuda.blockIdx.x * n + t] = a\n    return")))
                self.returned = True
        if len(self.lines) == before:
            self.own(depth)

    def text(self):
        self.part(1, 2)
        self.meet(1)
        self.own(1)
        return HEAD.format(number=self.number) + "\n".join(self.lines) + TAIL.format(half=self.half)

    # ---- kernels without barriers, with a grid-stride loop ----

    def stride_text(self):
        """Threads that go through an array side by side, for which no order is right or wrong."""
        draw = self.draw
        self.half = draw.choice((HALF, MANY))
        start, step = draw.choice((("cuda.grid(1)", "cuda.gridsize(1)"), ("t", "n"), (
            "cuda.blockIdx.x * n + t", "cuda.gridDim.x * n"), ("cuda.grid(1) - 70", "cuda.gridsize(1)")))
        most = draw.choice(("out.size // 2", "limit * 300", "out.size // 2 - t", "limit - 3", "threes[t & 7] * 200"))
        self.say(0, f"def kernel{self.number}(x, threes, out, limit):")
        self.say(1, "t = cuda.threadIdx.y * cuda.blockDim.x + cuda.threadIdx.x\nn = cuda.blockDim.x * cuda.blockDim.y\n"
                    "a = int32(t + limit)\nb = int32(1)\nu = float32(t)")
        if draw.randrange(3) == 0:
            self.say(1, draw.choice(("if t == 3:\n    return", "if cuda.blockIdx.x == limit:\n    return",
                                     "if limit == 3:\n    return")))
        if draw.randrange(2):
            self.say(1, f"for i in range({start}, {most}, {step}):")
        else:
            self.say(1, f"j = {start}\nwhile j < {most}:\n    i = j\n    j += {step}")
        for _ in range(draw.randrange(1, 5)):
            self.say(2, draw.choice((
                "b += x[i & 255]", "u = u * float32(0.5) + float32(i & 7)", "a ^= i", "if i & 4:\n    continue",
                "if i % 7 == 2:\n    a += 3\nelse:\n    b -= a", "k = i & 3\nwhile k > 0:\n    a += k * i\n    k -= 1",
                "if a & 64 and i > 900:\n    break", "cuda.atomic.add(out, 2 * out.size // 3, int32(i & 3))")))
            if draw.randrange(2) == 0:
                self.say(2, "if i >= 0:\n    out[i] = a + i * b" if self.once(start, step) else "a += int32(u)")
        self.say(1, f"cuda.atomic.add(out, {self.half} + (t & 255), a ^ (b << 2))\n"
                    f"cuda.atomic.add(out, {self.half} + 300, int32(u))")
        return "\n".join(self.lines)

    # ---- kernels whose threads first ask whether they have anything to do ----

    def guarded_text(self):
        """Of many more threads than are run together, all, some or none of which stay."""
        draw, self.half = self.draw, MANY
        most = draw.choice(("out.size // 2", "limit * 7000", "limit * 10923", "16384", "x[t] * 9000", "limit - 3",
                            "cuda.blockIdx.x * 300", "32768 - t % 2"))
        self.say(0, f"def kernel{self.number}(x, threes, out, limit):")
        self.say(1, "t = cuda.threadIdx.y * cuda.blockDim.x + cuda.threadIdx.x\n"
                    "i = (cuda.blockIdx.y * cuda.gridDim.x + cuda.blockIdx.x) * cuda.blockDim.x * cuda.blockDim.y + t\n"
                    "a = int32(i + limit)\nu = float32(t)")
        more = draw.choice(("", "cuda.threadIdx.y < limit", "i // 3 != limit", "t % limit < 4"))
        if draw.randrange(2):
            self.say(1, f"if i < {most}{' and ' + more if more else ''}:")
        else:
            self.say(1, f"if i >= {most}:\n    return")
            self.say(1, (f"if not {more}:\n    return\n" if more else "") + "if True:")
        for _ in range(draw.randrange(1, 4)):
            self.say(2, draw.choice((
                "a += x[i & 255]", "u = u * float32(0.5) + float32(i & 7)", "a ^= i * 3", "a = a // limit",
                "if a & 1:\n    a += 5\nelse:\n    u -= float32(1)", "out[i] += a", "cuda.atomic.add(out, "
                f"{MANY} + (t & 31), int32(i & 3))", "if a & 32:\n    out[i] = 7\n    return")))
        self.say(2, "out[i] = out[i] * 2 + a + int32(u)")
        if draw.randrange(3) == 0:
            self.say(1, f"cuda.atomic.add(out, {MANY} + (t & 63), a & 7)")
        return "\n".join(self.lines)

    def once(self, start, step):
        """Whether each element is one thread's."""
        return "grid" in step and "grid" in start or "blockIdx" in start


HALF, MANY = 2048, 1 << 16


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    x = cuda.to_device(np.arange(256, dtype=np.int32) * 5 % 17)
    threes = cuda.to_device(np.full(256, 3, np.int32))
    for number in range(count):
        kernel = Kernel(seed, number)
        kinds = kernel.text, kernel.guarded_text, kernel.text, kernel.stride_text
        text = kinds[number % len(kinds)]()
        if len(sys.argv) > 3:
            print(text)
        space = {"cuda": cuda, "int32": int32, "int64": int64, "float32": float32}
        exec(text, space)
        launches, half = ((5, (64, 1), 2), (5, (16, 8), 3), (5, (33, 1), 5)), kernel.half
        if half == MANY:
            launches = (200, (256, 1), 2), (131, (16, 8), 3), ((99, 5), (33, 1), 5), (64, (256, 1), 3)
        kernel, found = cuda.jit(space[f"kernel{number}"]), hashlib.sha256()
        for blocks, shape, limit in launches:
            out = cuda.to_device(np.zeros(2 * half, np.int32))
            kernel[blocks, shape](x, threes, out, np.int32(limit))
            found.update(out.copy_to_host().tobytes())
        print(f"kernel{number} {found.hexdigest()}", flush=True)


if __name__ == "__main__":
    main()
