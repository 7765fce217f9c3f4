/**
 * @file umcc_keyed.c
 * @brief umcc --keyed: which `=` assign, which declare, and what becomes of each.
 *
 * tests/grading/programs/keyed.cu runs what is made of them.
 */
#include "umcc_fixture.h"

#define SET "<<= ::umsim::keyed::put<'='>() |="

/* What becomes of the statements of a kernel; as_written leaves conversions out. */
static const char *keyed(const char *statements, const char *except)
{
    static char text[400];
    snprintf(text, sizeof text, "__global__ void k() { %s }", statements);
    return rewritten_with(
        (struct umcc_unit){.keyed = true, .keyed_except = except, .plain = true, .as_written = true}, text);
}

static unsigned count_of(const char *text, const char *part)
{
    unsigned count = 0;
    for (const char *p = text; (p = strstr(p, part)); p++)
        count++;
    return count;
}

static void assignments_are_found(void)
{
    static const char *const statements[] = {
        "p[i] = e;",        "*p = e;",
        "*p++ = e;",        "**p = e;",
        "a.b = e;",         "a->b[3].c = e;",
        "(*a).b = e;",      "f(x) = e;",
        "f(x)[2] = e;",     "get<0>(t) = e;",
        "if (c) *p = e;",   "else x = e;",
        "while (c) x = e;", "do x = e; while (c);",
        "n::x = e;",        "::x = e;",
        "(c ? a : b) = e;", "this->x = e;",
        "case 1: x = e;",   "f(x = e);",
        "for (;; x = e) ;", "g(1, x = e);",
        "y, x = e;",        "return x = e;",
        "*(float *)p = e;", "m[a = 1];",
        "l: *p = e;",       "[&] { x = e; }();",
    };
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        const char *text = keyed(statements[i], NULL);
        if (count_of(text, SET) != 1)
            UM_FAIL("%s: %s", statements[i], text);
    }
    CU_ASSERT_EQUAL(count_of(keyed("a = b = c = 0;", NULL), SET), 3);
    CU_ASSERT_EQUAL(count_of(keyed("a = 1, b = 2;", NULL), SET), 2);
    CU_ASSERT_EQUAL(count_of(keyed("int a = b = 2, c = 3;", NULL), SET), 1);
}

static void declarations_stay(void)
{
    static const char *const statements[] = {
        "int x = e;",
        "T *p = e;",
        "const T *const p = e;",
        "n::T<3> x = e;",
        "auto &x = e;",
        "int a[3] = {1}, b = 2, *c = 0;",
        "T a = {}, b[3] = {}, c = 2;",
        "T a, b = 2;",
        "for (int i = 0, j = 1; ; ) ;",
        "if (int k = f()) ;",
        "for (auto it = a, end = b; ; ) ;",
        "auto [a, b] = e;",
        "const auto &[a, b] = e;",
        "using U = T;",
        "enum { A = 1, B = 2 };",
        "[x = y, z = 2] {}();",
        "[=] {}();",
        "decltype(a) x = e;",
        "S s = {.a = 1, .b = 2};",
        "static int x = 3;",
        "struct S { int a = 1; S &operator=(const S &); };",
        "float (*f)(int) = g;",
    };
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        const char *text = keyed(statements[i], NULL);
        if (strstr(text, "keyed") && strcmp(statements[i], "float (*f)(int) = g;") != 0)
            UM_FAIL("%s: %s", statements[i], text);
    }
}

static void operators_keep_their_operands(void)
{
    UM_CONTAINS(
        keyed("x[i] += y[i];", NULL),
        "x[i] <<= ::umsim::keyed::put<'+'>() |= ::umsim::keyed::added() |= ::umsim::keyed::read( y[i] )");
    UM_CONTAINS(keyed("x[i] *= y[i];", NULL),
                "x[i] <<= ::umsim::keyed::put<'*'>() |= ::umsim::keyed::read( y[i] )");
    UM_CONTAINS(keyed("x <<= 3;", NULL), "x <<= ::umsim::keyed::put<'<'>() |= 3");
    UM_CONTAINS(keyed("x >>= 3;", NULL), "x <<= ::umsim::keyed::put<'>'>() |= 3");
    UM_CONTAINS(keyed("a[i].b++;", NULL), "::umsim::keyed::after<'+'>( a[i].b) ;");
    UM_CONTAINS(keyed("*p++ = 1;", NULL), "* ::umsim::keyed::after<'+'>( p) " SET " 1");
    UM_CONTAINS(keyed("--*p;", NULL), "::umsim::keyed::before<'-'>( *p ) ;");
    UM_CONTAINS(keyed("if (c) ++x;", NULL), "if (c) ::umsim::keyed::before<'+'>( x ) ;");
    UM_CONTAINS(keyed("(x)++;", NULL), "::umsim::keyed::after<'+'>( (x)) ;");
    UM_CONTAINS(keyed("a = b++ * c;", NULL), "::umsim::keyed::after<'+'>( b) * c");
    UM_CONTAINS(keyed("atomicAdd(&x, 2);", NULL), "umsim::keyed::atomic_add (&x, 2)");
}

static void reads_are_found(void)
{
    static const struct {
        const char *statement;
        unsigned reads;
    } cases[] = {
        {"x = a[i];", 1},
        {"x = f * a[i] + b[i];", 2},
        {"x = y > a[i];", 1},
        {"x = s.m + p->m;", 2},
        {"x = *p * *q;", 2},
        {"x = (double)*p;", 1},
        {"x = *(float *)p;", 1},
        {"x = *p++ * c;", 1},
        {"x = b++ * c;", 0},
        {"return a[i];", 1},
        {"if (c) f(a[i], n * b[i]);", 2},
        {"x = a[i][j];", 1},
        {"x = s[i].m[2];", 1},
        {"x = (c) ? *p : *q;", 2},
        {"float t = a[0], u = b[0], v = *p;", 3},
        {"a[i] = y; s.m += y; *p *= y; p->m++; --a[i]; (a[i]) = y;", 0},
        {"f(&a[i], &s.m, &*p);", 0},
        {"float a[3], *b, c[4], **d; T e[3], f[4]; T *g[3];", 0},
        {"__shared__ T e[3]; n::T<3> h[2];", 0},
        {"x = (T *)p;", 0},
        {"[=] {}(); auto [q, r] = y;", 0},
        {"x = new T[3]; delete[] x;", 0},
        {"x = variable + variable;", 2},
        {"if (a[i]) { } while (*p) ++q; switch (s.m) { }", 3},
        {"(a[i])++; (*p) = 1; ((s.m)) += 2; &(a[i]);", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char source[300];
        snprintf(source, sizeof source, "} __device__ float variable; __global__ void k2() { %s",
                 cases[i].statement);
        const char *text = keyed(source, NULL);
        if (count_of(text, "::umsim::keyed::read(") != cases[i].reads)
            UM_FAIL("%s: %s", cases[i].statement, text);
    }
}

static void what_is_not_clear_is_refused(void)
{
    UM_CONTAINS(keyed("atomicCAS(&x, 1, 2);", NULL), "--keyed: what atomicCAS leaves depends");
    UM_CONTAINS(keyed("x = p++->y;", NULL), "--keyed: it is not clear what is read");
    UM_CONTAINS(keyed("T{} = 3;", NULL), "--keyed: it is not clear what is assigned to");
}

static void functions_can_be_left_out(void)
{
    CU_ASSERT_PTR_NULL(strstr(keyed("x = 1; atomicCAS(&x, 1, 2);", "j,k,l"), "keyed"));
    UM_CONTAINS(keyed("x = 1;", "j,kk,l,K"), SET);
    CU_ASSERT_PTR_NULL(strstr(keyed("x = 1;", "k"), "keyed"));
}

static void host_code_stays(void)
{
    CU_ASSERT_PTR_NULL(strstr(keyed("} void h() { x = 1; x++; x += 2;", "k"), "keyed"));
}

UM_TESTS("umcc --keyed", {"assignments are found", assignments_are_found},
         {"declarations stay as they are", declarations_stay},
         {"operators keep their operands", operators_keep_their_operands},
         {"reads are found", reads_are_found}, {"what is not clear is refused", what_is_not_clear_is_refused},
         {"functions can be left out", functions_can_be_left_out}, {"host code stays", host_code_stays});
