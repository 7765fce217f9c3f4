"""Kernels whose threads work together: shared memory between barriers, and operations of warps.

What is generated has no race: each shared array remembers how it was accessed since the last barrier, and a barrier
comes before an access that does not go with those. Barriers and operations of warps stand only where all threads of a
block come together: outside of conditions, or under conditions and in loops that are the same for the whole block,
whether that is easy to see or not.
"""
import indices
from bodies import Scope, carried, change_one, local_object, show, statement
from changes import change
from maker import Var, wrapping
from tree import ADD, TIMES, Block, Expr, Stmt, fixed
from values import INT, UCHAR, UINT, ULONG, binary, cast, compare, literal

MOST = 256  # threads of a block
FULL = "0xffffffffu"


class Shared:
    """A shared array with an element for each thread."""

    def __init__(self, declaration, kind, form):
        self.declaration, self.kind, self.form = declaration, kind, form  # form: "s[@]"
        self.name = None

    def at(self, index):
        """The element; `index` is an expression below the number of threads."""
        parts = []
        for i, piece in enumerate(self.form.split("@")):
            parts += ([(index, TIMES + 1)] if i else []) + [piece]
        return Expr(parts, self.kind, self.kind.low, self.kind.high)


class Phases:
    """The part of a kernel that is being made: where barriers are needed, and what is the same for a block."""

    def __init__(self, m, dims):
        self.m, self.dims = m, dims
        self.arrays, self.pending, self.uniform = [], {}, []
        self.warps = False
        self.thread = self.threads = None

    # ---- barriers ----

    def access(self, block, array, how):
        """Notes an access, behind a barrier if it does not go with earlier ones. how: "own", "mirrored", "read",
        "one", "atomic"."""
        before = self.pending.get(array, set())
        if before - {how} or how == "one" and before:
            self.barrier(block)
        self.pending.setdefault(array, set()).add(how)

    def barrier(self, block):
        m = self.m
        form = m.weighted([(20, "__syncthreads();"), (0.5, "__syncthreads_count(1);")])
        block.add(Stmt([form], tag="barrier", keep=True))
        self.pending = {}

    # ---- values that are the same for a block ----

    def same(self, depth=1):
        """An expression that has one value for the block."""
        m = self.m
        scope, m.scope = m.scope, [Var(v.name, v.kind, v.low, v.high, read=v.read) for v in self.uniform]
        m.uniform_only = True
        e = m.expr(depth)
        m.scope, m.uniform_only = scope, False
        return e

    def same_condition(self):
        return compare(self.m.pick(["<", ">", "==", "!=", "<=", ">="]), self.same(), self.same())

    # ---- declarations ----

    def declare(self, block):
        m = self.m
        for _ in range(m.pick([1, 1, 1, 2, 2, 3])):
            kind = m.pick([INT, UINT, UINT, ULONG, UCHAR])
            name = m.new("s")
            form = m.weighted([(6, "plain"), (1, "plane"), (1, "struct"), (1.2, "dynamic"), (0.7, "pointer")])
            if form == "dynamic" and not any(a.form.startswith("dynamic") for a in self.arrays):
                name = f"dynamic{m.kernel.number}"
                declaration, access = f"extern __shared__ {kind.name} {name}[];", f"{name}[@]"
                for launch in m.kernel.launches:
                    launch.shared = MOST * 8
            elif form == "plane":
                declaration, access = f"__shared__ {kind.name} {name}[16][17];", f"{name}[@ / 16][@ % 16]"
            elif form == "struct":
                struct = m.helper("Tile", f"struct $H {{ {kind.name} data[{MOST}]; int more; }};")
                declaration, access = f"__shared__ {struct} {name};", f"{name}.data[@]"
            elif form == "pointer":
                declaration = f"__shared__ {kind.name} {name}_[{MOST}];\n{kind.name} *{name} = {name}_;"
                access = f"{name}[@]"
            else:
                declaration, access = f"__shared__ {kind.name} {name}[{MOST}];", f"{name}[@]"
            self.arrays.append(Shared(declaration, kind, access))
            self.arrays[-1].name = name
            block.add(Stmt([declaration], tag="shared:" + form, declares=[name]))

    def number_threads(self, block):
        """The thread's number in its block, and how many there are."""
        m = self.m
        text = "threadIdx.x" if self.dims == 1 else \
            "(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x"
        all_text = "blockDim.x" if self.dims == 1 else "(blockDim.x * blockDim.y * blockDim.z)"
        self.threads = Expr([all_text], UINT, 1, MOST, TIMES if self.dims == 1 else 15)
        if self.dims > 1 or m.chance(0.7):
            name = m.new("t")
            kind = m.pick(["int", "unsigned", "const int", "const unsigned", "const auto"])
            block.add(Stmt([f"{kind} {name} = {text};"], declares=[name]))
            self.thread = fixed(Expr([name], INT if "int" in kind else UINT, 0, MOST - 1))
        else:
            self.thread = fixed(Expr([text], UINT, 0, MOST - 1, 14))
        m.scope.append(Var(self.thread.text(), self.thread.kind, 0, MOST - 1))
        if m.chance(0.3):
            name = m.new("size")
            block.add(Stmt([f"const int {name} = {all_text};"], declares=[name]))
            self.threads = Expr([name], INT, 1, MOST)

    def other(self):
        """The number of any thread of the block."""
        m = self.m
        form = m.rng.randrange(5)
        if form == 0:
            return binary("-", binary("-", self.threads, literal(1)), self.thread)
        if form == 1:
            return binary("%", binary("+", self.thread, literal(m.pick([1, 3, 16, 31]))), self.threads)
        if form == 2:
            return literal(0)
        e = m.expr(1)
        e = cast(e, UINT) if e.low < 0 or e.kind.bits > 32 else e
        return binary("%", e, cast(self.threads, UINT) if self.threads.kind is INT else self.threads)

    # ---- what stands between barriers ----

    def write_own(self, block):
        m, array = self.m, self.m.pick(self.arrays)
        how = "own" if m.chance(0.85) else "mirrored"
        index = self.thread if how == "own" else \
            fixed(binary("-", binary("-", self.threads, literal(1)), self.thread))
        self.access(block, array, how)
        place, e = array.at(index), wrapping(m.seen(2))
        block.add(Stmt([place, m.pick([" = ", " = ", " += ", " ^= "]), e, ";"], tag="shared_write"))

    def read_others(self, block):
        m, array = self.m, self.m.pick(self.arrays)
        self.access(block, array, "read")
        element = array.at(self.other())
        if m.chance(0.5):
            name = m.new("y")
            kind = UINT if array.kind is not ULONG else ULONG
            block.add(Stmt([f"{m.pick(['const ', ''])}{kind.name} {name} = ", cast(element, kind), ";"],
                           tag="shared_read", declares=[name]))
            m.scope.append(Var(name, kind, 0, kind.high))
        else:
            hashes = [v for v in m.scope if v.role == "hash" and v.struct]
            if hashes:
                var = m.pick(hashes)
                block.add(change(m, var, cast(element, var.kind)))
            else:
                block.add(Stmt([f"{m.own} += ", (wrapping(element), ADD), ";"], tag="shared_read"))

    def write_one(self, block):
        """One thread writes one element."""
        m, array = self.m, self.m.pick(self.arrays)
        self.access(block, array, "one")
        chosen = literal(m.pick([0, 0, 0, 1, 31]))
        condition = fixed(compare("==", self.thread, chosen))
        block.add(Stmt(["if (", condition, ") ", array.at(literal(0)), " = ", m.expr(2), ";"], tag="shared_one"))

    def add_atomically(self, block):
        m = self.m
        arrays = [a for a in self.arrays if a.kind in (INT, UINT)]
        if arrays:
            array = m.pick(arrays)
            self.access(block, array, "atomic")
            place = array.at(self.other())
            amount = m.small() if array.kind is INT else cast(m.expr(1), UINT)
            block.add(Stmt(["atomicAdd(&", place, ", ", amount, ");"], tag="shared_atomic"))

    def alone(self, block):
        block.add(*statement(self.m, 1))

    def keep_local(self, block):
        """A variable of some kind that is needed behind a barrier."""
        m = self.m
        if m.chance(0.5):
            made, var = carried(m)
            block.add(*made)
            m.scope.append(var)
        else:
            block.add(*local_object(m))

    def change(self, block):
        block.add(change_one(self.m))

    def change_same(self, block):
        """A variable that has one value for the block is changed by all its threads alike."""
        m = self.m
        changing = [v for v in self.uniform if v.role]
        if changing:
            var = m.pick(changing)
            amount = m.wrap(self.same(), 8) if var.role == "counter" else cast(self.same(), var.kind)
            block.add(change(m, var, amount))

    def divergent(self, block):
        """Under a condition of each thread's own: no barrier, only what goes with what was before."""
        m, inside = self.m, Block()
        with Scope(m):
            array = m.pick(self.arrays)
            self.access(block, array, "own")
            e = wrapping(m.seen(1))
            inside.add(Stmt([array.at(self.thread), m.pick([" = ", " += "]), e, ";"], tag="shared_write"))
            inside.add(*statement(m, 1))
        block.add(Stmt(["if (", m.condition(1), ") ", inside], tag="divergent", shell=True))

    def warp(self, block):
        """An operation of the warp; all its lanes are there."""
        m = self.m
        name, kind = m.new("y"), m.pick([UINT, UINT, INT, ULONG])
        value = cast(m.expr(1), kind)
        lane = m.wrap(m.expr(1), 32)
        step = literal(m.pick([1, 2, 4, 8, 16, 3]))
        forms = [("__shfl_sync", [f"__shfl_sync({FULL}, ", value, ", ", lane, ")"]),
                 ("__shfl_xor_sync", [f"__shfl_xor_sync({FULL}, ", value, ", ", step, ")"]),
                 ("__shfl_up_sync", [f"__shfl_up_sync({FULL}, ", value, ", ", step, ")"]),
                 ("__shfl_down_sync", [f"__shfl_down_sync({FULL}, ", value, ", ", step, m.pick(["", ", 16"]), ")"]),
                 ("__ballot_sync", [f"__ballot_sync({FULL}, ", m.condition(1), ")"]),
                 ("__any_sync", [f"__any_sync({FULL}, ", m.condition(1), ")"]),
                 ("__all_sync", [f"__all_sync({FULL}, ", m.condition(1), ")"]),
                 ("__popc_ballot", [f"__popc(__ballot_sync({FULL}, ", m.condition(1), "))"]),
                 ("__reduce_add_sync", [f"__reduce_add_sync({FULL}, ", cast(value, UINT), ")"]),
                 ("__match_any_sync", [f"__match_any_sync({FULL}, ", m.wrap(m.expr(1), 4), ")"]),
                 ("function", [m.helper("warp_sum", WARP_SUM) + "(", cast(value, UINT), ")"])]
        tag, parts = m.pick(forms)
        kind = kind if tag.startswith("__shfl") else UINT
        block.add(Stmt([f"{m.pick(['const ', ''])}{kind.name} {name} = ", *parts, ";"], tag="warp:" + tag,
                       declares=[name]))
        m.scope.append(Var(name, kind, kind.low, kind.high))

    def vote(self, block):
        """A barrier that counts."""
        m, name = self.m, self.m.new("y")
        form = m.pick(["__syncthreads_count", "__syncthreads_and", "__syncthreads_or"])
        block.add(Stmt([f"const int {name} = {form}(", m.condition(1), ");"], tag="barrier:" + form, keep=True,
                       declares=[name]))
        self.pending = {}
        self.uniform.append(Var(name, INT, 0, MOST))
        m.scope.append(self.uniform[-1])

    # ---- what holds barriers ----

    def loop(self, block, depth):
        """A loop that all threads take together."""
        m, name = self.m, self.m.new("r")
        kept, uniform, before = list(m.scope), list(self.uniform), {a: set(h) for a, h in self.pending.items()}
        turns = m.pick([1, 2, 3])
        bound = literal(turns) if m.chance(0.3) else m.wrap(self.same(), turns + 1)
        counter = Var(name, INT, 0, turns)
        inside = Block()
        at_end = m.chance(0.6)
        if not at_end:
            self.barrier(inside)
        outer, m.turns = m.turns, m.turns * (turns + 1)
        m.scope.append(counter)
        self.uniform.append(counter)
        for _ in range(m.pick([1, 2, 3])):
            self.step(inside, depth - 1)
        left = {}
        if m.chance(0.15):
            inside.add(Stmt(["if (", self.same_condition(), ") break;"], tag="jump"))
            left = {a: set(h) for a, h in self.pending.items()}
            self.step(inside, 0)
        if at_end:
            self.barrier(inside)
        form = m.weighted([(6, "for"), (1.5, "while"), (0.7, "do")])
        head = {"for": [f"for (int {name} = 0; {name} < ", (bound, ADD), f"; {name}++) "],
                "while": [f"int {name} = 0;\nwhile ({name} < ", (bound, ADD), ") "],
                "do": [f"int {name} = 0;\ndo "]}[form]
        tail = []
        if form != "for":
            inside.add(Stmt([f"{name}++;"], keep=True))
        if form == "do":
            tail = [f" while ({name} < ", (bound, ADD), ");"]
        block.add(Stmt([*head, inside, *tail], tag="phase_loop:" + form, declares=[name]))
        m.scope, self.uniform, m.turns = kept, uniform, outer
        for more in (before, left):
            for a, how in more.items():
                self.pending.setdefault(a, set()).update(how)

    def condition(self, block, depth):
        """A condition that all threads take together."""
        m = self.m
        kept, uniform, before = list(m.scope), list(self.uniform), {a: set(h) for a, h in self.pending.items()}
        parts, ends = ["if (", self.same_condition(), ") "], []
        for branch in range(2 if m.chance(0.3) else 1):
            inside = Block()
            self.pending = {a: set(h) for a, h in before.items()}
            for _ in range(m.pick([1, 2])):
                self.step(inside, depth - 1)
            if m.chance(0.6):
                self.barrier(inside)
            ends.append(self.pending)
            parts += [" else "] * branch + [inside]
            m.scope, self.uniform = list(kept), list(uniform)
        if len(ends) == 1:
            ends.append(before)
        self.pending = {}
        for end in ends:
            for a, how in end.items():
                self.pending.setdefault(a, set()).update(how)
        block.add(Stmt(parts, tag="phase_if"))

    def halving(self, block):
        """The sum over a block as courses teach it."""
        m = self.m
        array = m.pick([a for a in self.arrays if a.kind is not UCHAR] or self.arrays)
        if array.kind.signed:
            return
        self.access(block, array, "own")
        name = m.new("half")
        index = fixed(binary("+", self.thread, Expr([name], INT, 0, MOST // 2)))
        add = Stmt(["if (", fixed(compare("<", self.thread, Expr([name], INT, 0, MOST))), ") ", array.at(self.thread),
                    " += ", array.at(index), ";"])
        self.barrier(block)
        step = m.pick([f"{name} /= 2", f"{name} >>= 1"])
        inside = Block([add, Stmt(["__syncthreads();"], tag="barrier", keep=True)])
        block.add(Stmt([f"for (int {name} = (int)", (self.threads, TIMES + 1), f" / 2; {name} > 0; {step}) ", inside],
                       tag="halving"))
        self.pending = {}

    def step(self, block, depth):
        """One more thing."""
        m = self.m
        table = [(4, self.write_own), (2 if m.edges else 0, m.edge), (4, self.read_others), (1, self.write_one),
                 (0.8, self.add_atomically), (2, self.alone), (1.5, self.keep_local), (4, self.change),
                 (2, self.change_same), (1.2, self.divergent), (1, self.barrier), (0.4, self.halving)]
        if m.chance(0.03) and depth >= 0:
            table.append((8, self.vote))
        if self.warps:
            table.append((8, self.warp))
        if depth > 0 and m.turns < 500:
            table += [(2.2, self.loop), (1.3, self.condition)]
        act = m.weighted(table)
        if act in (self.loop, self.condition):
            act(block, depth)
        else:
            act(block)


WARP_SUM = ("__device__ inline unsigned $H(unsigned v) {\n    for (int o = 16; o > 0; o /= 2) "
            f"v += __shfl_down_sync({FULL}, v, o);\n    return v;\n}}")


def phases(m, dims, warps):
    """A kernel with shared memory and barriers; with `warps` also with operations of warps."""
    m.dims = dims
    indices.launches(m, dims, 2, lambda block: block[0] * block[1] * block[2] <= MOST and
                     (not warps or block[0] * block[1] * block[2] % 32 == 0))
    p, body = Phases(m, dims), m.kernel.body
    p.warps = warps
    body.add(indices.own_element(m, dims))
    p.declare(body)
    p.number_threads(body)
    if dims == 1 and m.chance(0.6):
        name = m.new("i")
        of_block = m.pick(["blockIdx.x * blockDim.x + ", "blockIdx.x * 2 * blockDim.x + ",
                           "2 * blockIdx.x * blockDim.x + 2 * "])
        kind = m.pick([INT, INT, INT, UINT])
        body.add(Stmt([f"{m.pick(['const ', ''])}{kind.name} {name} = {of_block}", (p.thread, TIMES + 1), ";"],
                      declares=[name]))
        m.edges = [Var(name, kind, 0, 1 << 16)]
        m.scope += m.edges
    for _ in range(m.pick([0, 1, 2])):
        p.uniform.append(m.parameter("m", m.pick([INT, INT, UINT]), [m.pick([0, 1, 2, 3, 5]) for _ in "12"]))
    if m.chance(0.4):
        p.uniform.append(Var("blockIdx.x", UINT, 0, 15))
    if m.chance(0.1):
        body.add(Stmt(["if (", p.same_condition(), ") return;"], tag="jump"))
    for _ in range(m.pick([0, 1, 1, 2])):
        made, var = carried(m)
        body.add(*made)
        m.scope.append(var)
    if m.chance(0.5):  # looks and is the same for all, however it is changed
        made, var = carried(m, "counter")
        start = m.wrap(p.same(), 8)
        made[-1].parts = [start if isinstance(x, Expr) else x if isinstance(x, str) else (cast(start, x[0].kind), x[1])
                          for x in made[-1].parts]
        body.add(*made)
        p.uniform.append(var)
        m.scope.append(Var(var.name, var.kind, var.low, var.high, read=var.read))
    for array in p.arrays:  # every element that may be read has a value
        p.access(body, array, "own")
        body.add(Stmt([array.at(p.thread), " = ", m.expr(1), ";"], first_of=array.name))
    for _ in range(m.pick([2, 3, 4, 6])):
        if not warps and m.chance(0.1):  # single threads: their elements stay as they are
            body.add(Stmt(["if (", m.condition(1), ") return;"], tag="leave"))
        p.step(body, 2)
    p.read_others(body)
    body.add(show(m), *([m.store_own()] if m.chance(0.5) else []))


def one_change(m, bounds):
    """A simple kernel with barriers and one form of change: of a thread's own variable, or (bounds) of the limit of the
    loop around the barriers, which all threads change alike."""
    m.dims = 1
    indices.launches(m, 1, 2, lambda block: block[0] <= MOST)
    p, body = Phases(m, 1), m.kernel.body
    body.add(indices.own_element(m, 1))
    p.declare(body)
    p.number_threads(body)
    made, var = carried(m)
    body.add(*made)
    m.scope.append(var)
    for array in p.arrays:
        body.add(Stmt([array.at(p.thread), " = ", m.expr(1), ";"], first_of=array.name))
    array = p.arrays[0]
    p.barrier(body)
    inside = Block()
    inside.add(change(m, var, literal(1) if bounds else m.small()))
    bound = binary("&", var.value(), literal(3)) if bounds else literal(2)
    with Scope(m, 4):
        p.read_others(inside)
        p.barrier(inside)
        inside.add(Stmt([array.at(p.thread), " = ", wrapping(m.seen(1)), ";"]))
        p.barrier(inside)
    body.add(Stmt(["for (int r = 0; r < ", (bound, ADD), "; r++) ", inside], tag="phase_loop:for"))
    if not bounds:
        body.add(change(m, var, m.small()))
    p.read_others(body)
    body.add(show(m))
