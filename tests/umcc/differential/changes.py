"""The ways in which C++ changes a variable: what umcc's passes have to notice, or must not depend on.

Each form is a row: its tag, what it declares in front of the kernel (or None), and the statement. In them $c is the
variable, $T its type, $E the amount (as an operand: $(E) in parentheses), $H the declaration's name, $u a new local
name, and `@x, y@` what is done to x with y. A form's tag is what --without= leaves out and what reports name.
"""
import re

from tree import Stmt

DEVICE = "__device__ "
FUNCTOR = "struct $H { __device__ void operator()($T &x, $T y) const { @x, y@; } };"
REFERENCE = "struct $H { $T &r; __device__ void add($T y) const { @r, y@; } };"
ADD = "__device__ void $H($T &x, $T y) { @x, y@; }"

SCALARS = [
    # Without a declaration.
    ("plus_equal", None, "$c += $E;"),
    ("assign", None, "$c = $c + $(E);"),
    ("minus_equal", None, "$c -= $E;"),
    ("increment", None, "$c++;"),
    ("increment_before", None, "++$c;"),
    ("parentheses", None, "($c) += $E;"),
    ("parentheses_increment", None, "++($c);"),
    ("comma_lvalue", None, "(void(0), $c) += $E;"),
    ("dereferenced", None, "*&$c += $E;"),
    ("static_cast_reference", None, "static_cast<$T &>($c) += $E;"),
    ("c_cast_reference", None, "($T &)$c += $E;"),
    ("pointer", None, "$T *$u = &$c;\n*$u += $E;"),
    ("pointer_indexed", None, "$T *$u = &$c;\n$u[0] += $E;"),
    ("array_of_pointers", None, "$T *$u[] = {&$c};\n*$u[0] += $E;"),
    ("local_reference", None, "$T &$u = $c;\n$u += $E;"),
    ("local_reference_parentheses", None, "$T &$u($c);\n$u += $E;"),
    ("local_reference_braces", None, "$T &$u{$c};\n$u += $E;"),
    ("auto_reference", None, "auto &$u = $c;\n$u += $E;"),
    ("auto_rvalue_reference", None, "auto &&$u = $c;\n$u += $E;"),
    ("decltype_reference", None, "decltype(($c)) $u = $c;\n$u += $E;"),
    ("decltype_auto", None, "decltype(auto) $u = ($c);\n$u += $E;"),
    ("local_alias_reference", None, "using $u = $T &;\n$u $u_ = $c;\n$u_ += $E;"),
    ("alias_reference", "using $H = $T &;", "$H $u = $c;\n$u += $E;"),
    ("typedef_reference", "typedef $T &$H;", "$H $u = $c;\n$u += $E;"),
    ("alias_template_reference", "template <class X> using $H = X &;", "$H<$T> $u = $c;\n$u += $E;"),
    ("reference_to_reference", None, "$T &$u = $c, &$u_ = $u;\n$u_ += $E;"),
    ("conditional_lvalue", None, "$T $u = 0;\n($(E) != 12345 ? $c : $u) += 1;"),
    ("in_condition", None, "if (($c += $E) == 77) $c += 1;"),
    ("in_if_initializer", None, "if ($T $u = ($c += $E); $u == 77) $c += 1;"),
    ("in_for_head", None, "for (int $u = 0; $u < 2; $u++, $c += 1) {}"),
    ("in_while_head", None, "int $u = 2;\nwhile ($u-- > 0 && ($c += 1, true)) {}"),
    ("in_argument", "__device__ inline $T $H($T x) { return x; }", "(void)$H($c += $E);"),
    ("in_index", None, "int $u[4] = {0, 1, 2, 3};\n$u[3] = $u[($c += $E) & 3];\n$c += $u[3];"),
    ("logical_and", None, "(void)($(E) != 4321 && ++$c);"),
    ("pragma_unroll", None, "#pragma unroll\nfor (int $u = 0; $u < 2; $u++) $c += 1;"),
    # Functions.
    ("function_reference", ADD, "$H($c, $E);"),
    ("function_inline", "__device__ __forceinline__ void $H($T &x, $T y) { @x, y@; }", "$H($c, $E);"),
    ("function_noinline", "__device__ __noinline__ void $H($T &x, $T y) { @x, y@; }", "$H($c, $E);"),
    ("function_both_sides", "__host__ __device__ void $H($T &x, $T y) { @x, y@; }", "$H($c, $E);"),
    ("function_declared_before", "__device__ void $H($T &, $T);\n__device__ void $H($T &x, $T y) { @x, y@; }",
     "$H($c, $E);"),
    ("function_template", "template <class X> __device__ void $H(X &x, $T y) { @x, y@; }", "$H($c, $E);"),
    ("function_template_named", "template <class X> __device__ void $H(X &x, X y) { @x, y@; }", "$H<$T>($c, $E);"),
    ("function_template_by_argument", "template <class X> __device__ void $H(X x, $T y) { @x, y@; }",
     "$H<$T &>($c, $E);"),
    ("function_forwarding", "template <class X> __device__ void $H(X &&x, $T y) { @x, y@; }", "$H($c, $E);"),
    ("function_variadic", "template <class... X> __device__ void $H($T y, X &...x) { ((x += y), ...); }",
     "$H($E, $c);"),
    ("function_alias_parameter", "using $H_r = $T &;\n__device__ void $H($H_r x, $T y) { @x, y@; }", "$H($c, $E);"),
    ("function_pointer_parameter", "__device__ void $H($T *x, $T y) { @*x, y@; }", "$H(&$c, $E);"),
    ("function_constexpr", "constexpr void $H($T &x, $T y) { @x, y@; }", "$H($c, $E);"),
    ("function_returns_reference", "__device__ $T &$H($T &x) { return x; }", "$H($c) += $E;"),
    ("function_trailing_return", "__device__ auto $H($T &x) -> $T & { return x; }", "$H($c) += $E;"),
    ("function_returns_pointer", "__device__ $T *$H($T &x) { return &x; }", "*$H($c) += $E;"),
    ("function_returns_alias", "using $H_r = $T &;\n__device__ $H_r $H($H_r x) { return x; }", "$H($c) += $E;"),
    ("function_default_argument", "__device__ void $H($T &x, $T y = 3) { @x, y@; }", "$H($c);"),
    ("function_static_member", "struct $H { static __device__ void add($T &x, $T y) { @x, y@; } };",
     "$H::add($c, $E);"),
    ("function_in_namespace", "namespace $H { __device__ inline void add($T &x, $T y) { @x, y@; } }",
     "$H::add($c, $E);"),
    ("function_by_using", "namespace $H { __device__ inline void $H_f($T &x, $T y) { @x, y@; } }\nusing $H::$H_f;",
     "$H_f($c, $E);"),
    ("function_by_pointer", ADD, "void (*$u)($T &, $T) = $H;\n$u($c, $E);"),
    ("function_by_reference", ADD, "auto &$u = $H;\n$u($c, $E);"),
    ("function_by_macro", "#define $H(x, y) ((x) += (y))", "$H($c, $E);"),
    ("function_tag_dispatch", "struct $H_t {};\n__device__ void $H($H_t, $T &x, $T y) { @x, y@; }",
     "$H($H_t(), $c, $E);"),
    ("function_const_value", "__device__ void $H(const $T &x, $T y) { const_cast<$T &>(x) += y; }", "$H($c, $E);"),
    ("header_function", None, "near_add($c, ($T)$(E));"),
    ("header_function_pointer", None, "near_add_at(&$c, ($T)$(E));"),
    ("header_functor", None, "NearAdd()($c, ($T)$(E));"),
    ("system_header_function", None, "far_add($c, ($T)$(E));"),
    ("system_header_functor", None, "FarAdd()($c, ($T)$(E));"),
    ("system_header_alias", None, "FarReference<$T> $u = $c;\n$u += $E;"),
    ("system_header_macro", None, "FAR_ADD($c, $E);"),
    # Objects that hold a reference, or are called.
    ("functor_temporary", FUNCTOR, "$H()($c, $E);"),
    ("functor_braces", FUNCTOR, "$H{}($c, $E);"),
    ("functor_named", FUNCTOR, "$H $u;\n$u($c, $E);"),
    ("functor_const", FUNCTOR, "const $H $u{};\n$u($c, $E);"),
    ("functor_template", "struct $H { template <class X> __device__ void operator()(X &x, $T y) const { @x, y@; } };",
     "$H()($c, $E);"),
    ("functor_pointer", "struct $H { __device__ void operator()($T *x, $T y) const { @*x, y@; } };", "$H()(&$c, $E);"),
    ("aggregate_reference", REFERENCE, "$H $u{$c};\n$u.add($E);"),
    ("aggregate_equals", REFERENCE, "$H $u = {$c};\n$u.add($E);"),
    ("aggregate_temporary", REFERENCE, "$H{$c}.add($E);"),
    ("aggregate_member", REFERENCE, "$H $u{$c};\n$u.r += $E;"),
    ("aggregate_copied", REFERENCE, "$H $u{$c};\nauto $u_ = $u;\n$u_.add($E);"),
    ("aggregate_template", "template <class X> struct $H { X &r; };", "$H<$T> $u{$c};\n$u.r += $E;"),
    ("aggregate_pointer", "struct $H { $T *p; };", "$H $u{&$c};\n*$u.p += $E;"),
    ("aggregate_nested", REFERENCE + "\nstruct $H_n { $H inner; };", "$H_n $u{{$c}};\n$u.inner.add($E);"),
    ("constructor_reference", "struct $H { $T &r; __device__ $H($T &x) : r(x) {} };", "$H $u($c);\n$u.r += $E;"),
    ("constructor_acts", "struct $H { __device__ $H($T &x, $T y) { @x, y@; } };", "$H $u($c, $E);"),
    ("constructor_temporary", "struct $H { __device__ $H($T &x, $T y) { @x, y@; } };", "(void)$H($c, $E);"),
    ("constructor_implicit", "struct $H { __device__ $H($T &x) { x += 1; } };\n__device__ inline void $H_f($H) {}",
     "$H_f($c);"),
    ("destructor", "struct $H { $T &r, y; __device__ ~$H() { @r, y@; } };", "{ $H $u{$c, ($T)$(E)}; }"),
    ("assigned_proxy", "struct $H { $T &r; __device__ void operator=($T y) const { @r, y@; } };", "$H{$c} = $E;"),
    ("called_proxy", "struct $H { $T &r; __device__ void operator()($T y) const { @r, y@; } };", "$H{$c}($E);"),
    ("indexed_proxy", "struct $H { $T &r; __device__ $T &operator[](int) const { return r; } };", "$H{$c}[0] += $E;"),
    ("arrow_proxy", "struct $H { $T &r; __device__ $H *operator->() { return this; } };", "$H $u{$c};\n$u->r += $E;"),
    ("converted_proxy", "struct $H { $T &r; __device__ operator $T() const { return ++r; } };",
     "$T $u = $H{$c};\n(void)$u;"),
    ("asm_ptx", None, "asm(\"add.u32 %0, %0, %1;\" : \"+r\"($c) : \"r\"((unsigned)$(E)));"),
    # Lambdas.
    ("lambda_by_reference", None, "[&] { $c += $E; }();"),
    ("lambda_named", None, "auto $u = [&]($T y) { $c += y; };\n$u($E);"),
    ("lambda_one_reference", None, "[&$c]($T y) { $c += y; }($E);"),
    ("lambda_parameter", None, "[]($T &x, $T y) { x += y; }($c, $E);"),
    ("lambda_generic", None, "[](auto &x, auto y) { x += y; }($c, ($T)$(E));"),
    ("lambda_named_generic", None, "auto $u = [](auto &x, $T y) { x += y; };\n$u($c, $E);"),
    ("lambda_renamed_reference", None, "[&$u = $c]($T y) { $u += y; }($E);"),
    ("lambda_pointer", None, "[$u = &$c]($T y) { *$u += y; }($E);"),
    ("lambda_nested", None, "[&]($T y) { [&] { $c += y; }(); }($E);"),
]

STRUCT = "struct $H { $T v; __host__ __device__ explicit $H($T x) : v(x) {} $M };"
# Members of a structure with a field v, and how a variable of it is changed; $F: a function beside it.
STRUCTURES = [
    ("field", "", "", "$c.v += $E;"),
    ("method", "__device__ void add($T y) { @v, y@; }", "", "$c.add($E);"),
    ("method_chain", "__device__ $H &add($T y) { @v, y@; return *this; }", "", "$c.add($E).add(1);"),
    ("operator_shift", "", "__device__ $H &operator<<($H &s, $T y) { @s.v, y@; return s; }", "$c << $(E);"),
    ("operator_shift_right", "", "__device__ $H &operator>>($H &s, $T y) { @s.v, y@; return s; }", "$c >> $(E);"),
    ("operator_shift_member", "__device__ $H &operator<<($T y) { @v, y@; return *this; }", "", "$c << $(E);"),
    ("operator_plus_equal", "", "__device__ $H &operator+=($H &s, $T y) { @s.v, y@; return s; }", "$c += $E;"),
    ("operator_plus_equal_member", "__device__ void operator+=($T y) { @v, y@; }", "", "$c += $E;"),
    ("operator_call", "__device__ void operator()($T y) { @v, y@; }", "", "$c($E);"),
    ("operator_increment", "__device__ $H &operator++() { v += 1; return *this; }", "", "++$c;"),
    ("operator_minus_unary", "", "__device__ $T operator-($H &s) { s.v += 1; return s.v; }", "(void)-$c;"),
    ("operator_not", "", "__device__ bool operator!($H &s) { s.v += 1; return s.v != 0; }", "if (!$c) (void)0;"),
    ("operator_tilde", "", "__device__ $T operator~($H &s) { s.v += 1; return s.v; }", "(void)~$c;"),
    ("operator_star_unary", "", "__device__ $T &operator*($H &s) { return s.v; }", "*$c += $E;"),
    ("operator_star", "", "__device__ $T operator*($H &s, $T y) { @s.v, y@; return s.v; }", "(void)($c * $(E));"),
    ("operator_plus", "", "__device__ $T operator+($H &s, $T y) { @s.v, y@; return s.v; }", "(void)($c + $(E));"),
    ("operator_less", "", "__device__ bool operator<($H &s, $T y) { @s.v, y@; return s.v == 9; }",
     "if ($c < $(E)) (void)0;"),
    ("operator_equal", "", "__device__ bool operator==($H &s, $T y) { @s.v, y@; return s.v == 9; }",
     "if ($c == $(E)) (void)0;"),
    ("operator_and", "", "__device__ bool operator&&($H &s, $T y) { @s.v, y@; return s.v == 9; }",
     "(void)($c && $(E));"),
    ("operator_and_bits", "", "__device__ $T operator&($H &s, $T y) { @s.v, y@; return s.v; }", "(void)($c & $(E));"),
    ("operator_comma", "", "__device__ void operator,($H &s, $T y) { @s.v, y@; }", "$c, $(E);"),
    ("operator_index", "__device__ $T &operator[](int) { return v; }", "", "$c[0] += $E;"),
    ("operator_arrow", "__device__ $H *operator->() { return this; }", "", "$c->v += $E;"),
    ("operator_arrow_star", "", "__device__ void operator->*($H &s, $T y) { @s.v, y@; }", "$c->*$(E);"),
    ("operator_assign", "__device__ $H &operator=($T y) { @v, y@; return *this; }", "", "$c = ($T)$(E);"),
    ("conversion_to_reference", "__device__ operator $T &() { return v; }", "", "static_cast<$T &>($c) += $E;"),
    ("conversion_acts", "__device__ explicit operator bool() { v += 1; return true; }", "", "if ($c) (void)0;"),
    ("structure_reference", "", "__device__ void $H_f($H &s, $T y) { @s.v, y@; }", "$H_f($c, $E);"),
    ("structure_template_reference", "", "template <class X> __device__ void $H_f(X &s, $T y) { @s.v, y@; }",
     "$H_f($c, $E);"),
    ("member_pointer", "", "", "$T $H::*$u = &$H::v;\n$c.*$u += $E;"),
    ("method_pointer", "__device__ void add($T y) { @v, y@; }", "", "void ($H::*$u)($T) = &$H::add;\n($c.*$u)($E);"),
    ("friend_function", "friend __device__ void add_to($H &s, $T y) { @s.v, y@; }", "", "add_to($c, $E);"),
    ("function_named_like_mathematics", "friend __device__ $T ceil($H &s) { s.v += 1; return s.v; }", "",
     "(void)ceil($c);"),
    ("function_named_max", "friend __device__ $T max($H &s, $T y) { @s.v, y@; return s.v; }", "",
     "(void)max($c, ($T)$(E));"),
    ("structured_binding", "$T w = 0;", "", "auto &[$u, $u_] = $c;\n$u += $E;\n$u_ += 1;"),
    ("bit_field", "unsigned bits : 5;", "", "$c.v += $E;"),
    ("mutable_member", "__device__ void tick($T y) const { const_cast<$H *>(this)->v += y; }", "", "$c.tick($E);"),
    ("structured_copy", "", "", "$H $u = $c;\n$u.v += $E;\n$c = $u;"),
]

ARRAYS = [
    ("array_element", None, "$c[0] += $E;"),
    ("array_element_computed", None, "$c[$(E) != 5] += 1;"),
    ("array_range_for", None, "for (auto &$u : $c) $u += $E;"),
    ("array_range_for_braces", None, "for ($T &$u : $c) { $u += 1; }"),
    ("array_reference_parameter", "__device__ void $H($T (&x)[2], $T y) { @x[0], y@; }", "$H($c, $E);"),
    ("array_pointer_parameter", "__device__ void $H($T *x, $T y) { @x[1], y@; }", "$H($c, $E);"),
    ("array_binding", None, "auto &[$u, $u_] = $c;\n$u += $E;\n$u_ += 1;"),
    ("array_plus", None, "*($c + 1) += $E;"),
    ("array_reversed_index", None, "1[$c] += $E;"),
    ("array_reference", None, "$T (&$u)[2] = $c;\n$u[0] += $E;"),
]
# Spelled in C++'s other tokens; for unsigned variables only.
HASHES = [("or_eq", None, "$c or_eq $E;"), ("xor_eq", None, "$c xor_eq $E;"), ("and_eq", None, "$c and_eq $E | 1u;"),
          ("shift_equal", None, "$c <<= 1;"), ("times_equal", None, "$c *= 3u;"), ("complement", None, "$c = ~$c;")]

ACTIONS = {"counter": ["{0} += {1}"],
           "hash": ["{0} += {1}", "{0} ^= {1}", "{0} = {0} * 5u + {1}", "{0} = ({0} << 1 | {0} >> 3) + {1}"]}


def act(m, role, text):
    """Replaces `@x, y@`."""
    done = m.pick(ACTIONS[role])
    return re.sub(r"@(.*?), (\w+)@", lambda found: done.format(found[1], found[2]), text)


def fill(m, text, amount, names):
    """The statement's parts."""
    for short, name in names:
        text = text.replace(short, name)
    parts = []
    for piece in re.split(r"(\$\(E\)|\$E)", text):
        if piece == "$(E)":
            parts += ["(", amount, ")"]
        elif piece == "$E":
            parts.append(amount)
        elif piece:
            parts.append(piece)
    return parts


def all_forms():
    """Each form by itself: (of what, its row)."""
    return [*(("scalar", row) for row in SCALARS), *(("scalar", row) for row in HASHES),
            *(("structure", row) for row in STRUCTURES), *(("array", row) for row in ARRAYS)]


def is_possible(var, tag):
    if tag == "asm_ptx":
        return var.kind.bits == 32
    if tag.startswith(("header_", "system_")):
        return var.kind.name in ("int", "unsigned", "long long", "unsigned long long")
    return True


def change(m, var, amount):
    """A statement that changes the variable by the amount, in a random form."""
    if not isinstance(var.struct, str):
        return change_structure(m, var, amount)
    table = SCALARS if var.struct == "scalar" else ARRAYS
    if m.forced:
        table = [m.forced[1]]
    elif var.struct == "scalar" and var.role == "hash" and not var.kind.signed and m.chance(0.1):
        table = HASHES
    rows = [row for row in table if m.may(row[0]) and is_possible(var, row[0])]
    tag, declared, text = m.pick(rows)
    names = [("$c", var.name), ("$T", var.kind.name), ("$u_", m.new("w")), ("$u", m.new("q"))]
    if declared:
        declared = act(m, var.role, declared.replace("$T", var.kind.name))
        names.append(("$H", m.helper("H", declared)))
    local = text.count("\n") > 0 and not text.startswith("#")
    parts = fill(m, text.replace("\n", "\n    ") if local else text, amount, names)
    return Stmt(["{ ", *parts, " }"] if local else parts, tag="change:" + tag)


def make_structure(m, kind, role):
    """A structure with the means to change it in several ways. Returns (its name, [(tag, statement)])."""
    rows = [row for row in STRUCTURES if m.may(row[0])]
    chosen = m.rng.sample(rows, 1 if m.chance(0.7) else 2) if not m.forced else [m.forced[1]]
    if sum("$H w" in r[1] or "w = 0" in r[1] or "bits" in r[1] for r in chosen) > 1:
        chosen = chosen[:1]
    if sum(" add(" in r[1] or "&add(" in r[1] for r in chosen) > 1:
        chosen = chosen[:1]
    if sum("operator<<" in r[1] + r[2] for r in chosen) > 1:  # a member and a function: ambiguous
        chosen = chosen[:1]
    text = STRUCT.replace("$M", " ".join(r[1] for r in chosen))
    text += "".join("\n" + r[2] for r in chosen if r[2])
    name = m.helper("S", act(m, role, text.replace("$T", kind.name)))
    return name, [(tag, form) for tag, _, _, form in chosen]


def change_structure(m, var, amount):
    tag, text = m.pick(var.struct[1])
    names = [("$c", var.name), ("$T", var.kind.name), ("$u_", m.new("w")), ("$u", m.new("q")), ("$H", var.struct[0])]
    local = "\n" in text
    parts = fill(m, text.replace("\n", "\n    "), amount, names)
    return Stmt(["{ ", *parts, " }"] if local else parts, tag="change:" + tag)
