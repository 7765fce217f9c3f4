/**
 * @file umcc_tokens.c
 * @brief umcc's tokenizer and its passes, as functions from text to text.
 *
 * What compiled programs do is tested by tests/umcc/run.sh.
 */
#include "umcc_fixture.h"

/* The tokens, separated by blanks. */
static const char *tokens_of(const char *source)
{
    size_t used = 0;
    read_source(source);
    shown[0] = '\0';
    for (int i = 0; i < unit.count && used < sizeof shown - 1; i++)
        used += (size_t)snprintf(shown + used, sizeof shown - used, "%s%.*s", i == 0 ? "" : " ",
                                 (int)unit.tokens[i].length, unit.tokens[i].text);
    return shown;
}

static void literals_are_single_tokens(void)
{
    UM_STRING_EQUAL(tokens_of("a=\"k<<<1>>>\\\"\";"), "a = \"k<<<1>>>\\\"\" ;");
    UM_STRING_EQUAL(tokens_of("'\"' L'x' u8\"y\"_z"), "'\"' L'x' u8\"y\"_z");
    UM_STRING_EQUAL(tokens_of("1'000'000+0x1p-3f+.5e+2"), "1'000'000 + 0x1p-3f + .5e+2");
    UM_STRING_EQUAL(tokens_of("R\"(a)\" b)\" c"), "R\"(a)\" b ) \" c");
    UM_STRING_EQUAL(tokens_of("R\"x(a)\" b)x\" c"), "R\"x(a)\" b)x\" c");
    UM_STRING_EQUAL(tokens_of("LR\"(\n)\"+u"), "LR\"(\n)\" + u");
}

static void angle_brackets_stand_alone(void)
{
    UM_STRING_EQUAL(tokens_of("a<b<c>>d>>=e<=f->g"), "a < b < c > > d > >= e <= f -> g");
    read_source("k<<<1, 2>>>(x)");
    CU_ASSERT_TRUE(umcc_is_launch(&unit, 1));
    read_source("k<< <1, 2>> >(x)");
    CU_ASSERT_TRUE(umcc_is_launch(&unit, 1));
    read_source("k< <<1, 2> >>(x)");
    CU_ASSERT_FALSE(umcc_is_launch(&unit, 1));
}

static void comments_and_line_breaks_are_space(void)
{
    UM_STRING_EQUAL(tokens_of("a/*k<<<*/b//c\nd\\\ne"), "a b d e");
    UM_STRING_EQUAL(tokens_of("a /* never closed"), "a");
}

static void lines_are_the_users(void)
{
    read_source("# 1 \"x.cu\"\n# 1 \"h.h\" 1 3\nin\n# 7 \"x.cu\" 2\n\n  out \"\n");
    UM_EQUAL(unit.tokens[0].line, 1);
    CU_ASSERT_STRING_EQUAL(unit.tokens[0].file, "h.h");
    CU_ASSERT_TRUE(unit.tokens[0].system);
    UM_EQUAL(unit.tokens[1].line, 8);
    UM_EQUAL(unit.tokens[1].column, 2);
    CU_ASSERT_STRING_EQUAL(unit.tokens[1].file, "x.cu");
    CU_ASSERT_FALSE(unit.tokens[1].system);
}

static void an_unchanged_unit_comes_out_as_it_was(void)
{
    static const char source[] =
        "# 1 \"x.cu\"\n int  main ( ) {\n#pragma omp parallel\n  return R\"(\n)\"[0];\t}\n";
    struct umcc_text out = {0};
    read_source(source);
    umcc_emit(&unit, &out);
    CU_ASSERT_STRING_EQUAL(out.data, source);
    umcc_text_free(&out);
}

static void unrolling_pragmas_go(void)
{
    UM_STRING_EQUAL(rewritten("void f() {\n#pragma unroll 4\nfor (;;) ;\n}"), "void f() { for (;;) ; }");
}

static void brackets_have_to_match(void)
{
    UM_CONTAINS(rewritten("int f( { ) }"), "<input>:1:10: error: ')' does not match the '{' of line 1");
    UM_CONTAINS(rewritten("int f() {\n"), "<input>:1:9: error: '{' is never closed");
    UM_CONTAINS(rewritten("\n}"), "<input>:2:1: error: '}' closes nothing");
}

static void functions_are_told_from_variables(void)
{
    static const struct {
        const char *source, *name;
        int function;
    } rows[] = {
        {"__device__ int f(int);", "f", 1},
        {"__device__ int v(3);", "v", 0},
        {"__device__ int v{3};", "v", 0},
        {"__device__ T<int(int)> v;", "v", 0},
        {"__device__ int (*v)(int) = f;", "v", 0},
        {"__device__ int v[2][3] = {{1}, {2}};", "v", 0},
        {"__device__ A::B<C> A::f(int) const noexcept(true) { }", "f", 1},
        {"__device__ A::A(int a) : b(a), c{a} { }", "A", 1},
        {"__device__ __launch_bounds__(3) void f() { }", "f", 1},
        {"__attribute__((aligned(8))) __device__ float v;", "v", 0},
        {"template <class T, int N = (3 > 2)> __device__ auto f(T t) -> decltype(t + N) { return t; }", "f",
         1},
        {"__device__ bool operator()(int) const { return 1; }", "operator", 1},
        {"__device__ bool operator<(A, B);", "operator", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct umcc_decl *d = declaration(rows[i].source, 0);
        if ((d->form == UMCC_FUNCTION) != rows[i].function)
            UM_FAIL("%s: the other kind", rows[i].source);
        if (!umcc_is(&unit, d->name, rows[i].name))
            UM_FAIL("%s: the name is %s, not %s", rows[i].source, umcc_spelling(&unit, d->name),
                    rows[i].name);
    }
}

static void scopes_are_followed(void)
{
    static const char source[] =
        "namespace a { namespace { int x; } } extern \"C\" { int y; } class C { public: __device__ int f() { "
        "return 1; } int z; }; template <class T> struct S { __device__ void g(); }; enum E { e }; int last "
        "= 1;";
    const struct umcc_decl *d = declaration(source, 0);
    CU_ASSERT_TRUE(umcc_is(&unit, d->name, "x") && d->in_namespace && !d->in_class);
    d = d->next;
    CU_ASSERT_TRUE(umcc_is(&unit, d->name, "y") && !d->in_namespace);
    d = d->next;
    CU_ASSERT_TRUE(umcc_is(&unit, d->name, "f") && d->in_class && d->body >= 0 && !d->templated);
    d = d->next;
    CU_ASSERT_TRUE(umcc_is(&unit, d->name, "z") && d->in_class);
    d = d->next;
    CU_ASSERT_TRUE(umcc_is(&unit, d->name, "g") && d->in_class && d->templated && d->body < 0);
    d = d->next;
    CU_ASSERT_TRUE(umcc_is(&unit, d->name, "last") && !d->in_class);
    CU_ASSERT_PTR_NULL(d->next);
}

static void waiting_is_found_through_calls(void)
{
    static const char functions[] = "__device__ void a() { __syncthreads(); } __device__ void b() { a(); } "
                                    "__device__ void c() { }";
    char source[512];
    snprintf(source, sizeof source, "%s __global__ void k() { b(); }", functions);
    UM_CONTAINS(rewritten(source), "launch<::umsim::threads, false");
    snprintf(source, sizeof source, "%s __global__ void k() { c(); }", functions);
    UM_CONTAINS(rewritten(source), "launch<::umsim::blocks, false");
    UM_CONTAINS(rewritten("__device__ int f(); __global__ void k() { f(); }"),
                "launch<::umsim::threads, true");
    UM_CONTAINS(rewritten("__device__ int f() { return threadIdx.x; } __global__ void k() { f(); }"),
                "::umsim::index_of(threadIdx) .x; }");
    UM_CONTAINS(shown, "launch<::umsim::blocks, true");
}

static void built_in_names_are_the_hosts_own_elsewhere(void)
{
    static const char source[] = "void run(dim3 gridDim, dim3 blockDim) { f(gridDim.x); }";
    UM_STRING_EQUAL(rewritten(source), source);
}

/* What has no effect and calls nothing. Whether the answers are right is tests/umcc/accept_rows.cu's
 * question. */
static void first_conditions_are_tried(void)
{
    static const struct {
        const char *body;
        int known;
    } rows[] = {
        {"int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] = 1;", 1},
        {"const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; p[i] = 1;", 1},
        {"int x = threadIdx.x, y = threadIdx.y; if (x < n && y < n) { }", 1},
        {"int x = threadIdx.x, y = threadIdx.y; if (x >= n || y >= n) return;", 1},
        {"int i = threadIdx.x; if (i > 0 && i < n - 1) { }", 1},
        {"unsigned i = static_cast<unsigned>(threadIdx.x); if (i * 4 + 3 < n) { }", 1},
        {"if (n > 3) { }", 1},
        {"int i = threadIdx.x; if (i < n || i > 9) { }", 1},
        {"int i = threadIdx.x; if (i >= n && i < 9) return;", 1},
        {"int i = threadIdx.x; if (i - 1 < n) { }", 1},
        {"int i = threadIdx.x; if (i % 2 < 1) { }", 1},
        {"int i = threadIdx.x; if (i * i < n) { }", 1},
        {"int i = threadIdx.x; if (i == n) { }", 1},
        {"int i = threadIdx.x; if (p[i] < n) { }", 0},
        {"int i = threadIdx.x; if (f(i) < n) { }", 0},
        {"int i = threadIdx.x; if (i < *p) { }", 0},
        {"int i = threadIdx.x; if ((char)i < n) { }", 1},
        {"short i = threadIdx.x; if (i < n) { }", 1},
        {"int i = threadIdx.x ^ 1; if (i < n) { }", 1},
        {"int i = threadIdx.x; i++; if (i < n) { }", 0},
        {"int i = f(); if (i < n) { }", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char source[512];
        snprintf(source, sizeof source, "__global__ void k(int *p, int n) { %s }", rows[i].body);
        const bool known = strstr(rewritten(source), "::umsim::guarded_") != NULL;
        if (known != rows[i].known)
            UM_FAIL("%s: %s", rows[i].body, known ? "taken" : "not taken");
    }
}

static void numbered_threads_are_known(void)
{
    static const struct {
        const char *body;
        int known;
    } rows[] = {
        {"int i = blockIdx.x * blockDim.x + threadIdx.x; p[i] = 1;", 1},
        {"p[threadIdx.x + blockDim.x * blockIdx.x] = gridDim.x;", 1},
        {"size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] = 1;", 1},
        {"int i = 4 * (blockDim.x * blockIdx.x + threadIdx.x) + 1; p[i] = 1;", 1},
        {"*p = n;", 0},
        {"int i = (short)blockIdx.x * blockDim.x + threadIdx.x; p[i] = 1;", 0},
        {"int i = 2 * blockIdx.x * blockDim.x + threadIdx.x; p[i] = 1;", 0},
        {"int i = n - blockIdx.x * blockDim.x + threadIdx.x; p[i] = 1;", 0},
        {"int i = blockIdx.x * blockDim.x + threadIdx.x * 4; p[i] = 1;", 0},
        {"int i = blockIdx.x * blockDim.x + threadIdx.x; p[blockIdx.x] = i;", 0},
        {"int i = blockIdx.x * blockDim.x + threadIdx.y; p[i] = 1;", 0},
        {"int i = blockIdx.x * 256 + threadIdx.x; p[i] = 1;", 0},
        {"dim3 b = blockDim; int i = blockIdx.x * blockDim.x + threadIdx.x; p[i] = b.x;", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char source[512];
        snprintf(source, sizeof source, "__global__ void k(int *p, int n) { %s }", rows[i].body);
        const bool known = strstr(rewritten(source), "numbered_blocks") != NULL;
        if (known != rows[i].known)
            UM_FAIL("%s: %s", rows[i].body, known ? "taken" : "not taken");
    }
}

static void variables_get_their_sections(void)
{
    UM_CONTAINS(rewritten("__device__ int a, b = 3;"), "__attribute__((section(\"um_device,");
    UM_CONTAINS(rewritten("extern \"C\" { static __constant__ int c[3]; }"), "section(\"um_constant,");
    UM_CONTAINS(rewritten("__device__ __managed__ int m;"), "section(\"um_managed,");
    UM_STRING_EQUAL(rewritten("extern __device__ int a;"), "extern int a;");
    UM_STRING_EQUAL(rewritten("__device__ constexpr int a = 1;"), "constexpr int a = 1;");
}

static void shared_variables_are_named_together(void)
{
    const char *text = rewritten("__device__ void f() { __shared__ A<int, 3> a[2][4], b; }");
    UM_CONTAINS(text, "struct um_shared_0 { A<int, 3> a[2][4], b; };");
    UM_CONTAINS(text, "auto &a = ::umsim::shared<um_shared_0>().a;");
    UM_CONTAINS(text, "auto &b = ::umsim::shared<um_shared_0>().b;");
    text = rewritten("__device__ void f() { extern __shared__ float4 s[]; }");
    UM_CONTAINS(text, "typedef float4 um_dynamic_0 [];");
    UM_CONTAINS(text, "um_dynamic_0 &s = ::umsim::dynamic_shared<um_dynamic_0>();");
    UM_CONTAINS(rewritten("__device__ void f() { __shared__ int a = 1; }"), "cannot be initialized");
}

static void host_variables_in_device_code_are_refused(void)
{
    static const struct {
        const char *body;
        int refused;
    } rows[] = {
        {"*p = n;", 1},
        {"int x = n + 1; *p = x;", 1},
        {"*p = p[0] * n;", 1},
        {"f(1, n);", 1},
        {"*p = ::n;", 1},
        {"int n = 1; *p = n;", 0},
        {"float a, n; *p = n;", 0},
        {"for (int n = 0; n < 3; n++) p[n] = n;", 0},
        {"T *n = p; *n = 1;", 0},
        {"auto f = [](int n) { return n; }; f(1);", 0},
        {"auto [n, m] = g();", 0},
        {"*p = p->n + q.n + A::n;", 0},
        {"*p = sizeof(n) + sizeof n;", 0},
        {"enum { n = 3 }; *p = n;", 0},
        {"struct { int n; } s; s.n = 1;", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char source[512];
        snprintf(source, sizeof source, "int n = 4; __global__ void k(int *p) { %s }", rows[i].body);
        const bool refused = strstr(rewritten(source), "identifier \"n\" is undefined in device code");
        if (refused != rows[i].refused)
            UM_FAIL("%s: %s", rows[i].body, refused ? "refused" : "not refused");
    }
    UM_CONTAINS(rewritten("const int n = 4; __global__ void k(int *p) { *p = n; }"), "um_body");
    UM_CONTAINS(rewritten("__device__ int n; __global__ void k(int *p) { *p = n; }"), "um_body");
    UM_CONTAINS(rewritten("int n; __global__ void k(int n, int *p) { *p = n; }"), "um_body");
    UM_CONTAINS(rewritten("int n; template <int n> __global__ void k(int *p) { *p = n; }"), "um_body");
    UM_CONTAINS(rewritten("int n; struct S { int n; __device__ int f() { return n; } };"), "struct S");
    umcc_unit_free(&unit);
}

/* Any text gives an output or a message: 5,000 mutations of a program with everything in it. */
static void nonsense_ends_in_a_message(void)
{
    static const char program[] =
        "# 1 \"x.cu\"\ntemplate <class T, int N = 3> __global__ void __launch_bounds__(3) k(T *p, int n = 4) "
        "{\n"
        "  __shared__ T a[N][2], b; extern __shared__ char s[]; int i = threadIdx.x + 1; if (i < n) p[i] = "
        "R\"(x)\"[0];\n"
        "  __syncthreads(); struct L { int f() { return threadIdx.x; } }; }\n"
        "namespace x { class C : D<int> { public: C() : a{1}, b(2) {} __device__ bool operator()(int) const; "
        "} c; }\n"
        "__device__ __managed__ int m[2] = {1, 2}; int h; extern \"C\" { __constant__ float q; }\n"
        "int main() { k<float, 4><<<dim3(1), A<B<int>>::v, 0>>>(p, [=] __device__ (int j) { return h; }); "
        "}\n";
    static const char pieces[] = "<>(){}[];,:=*\"'#\\ \nR_a0.&";
    uint64_t state = 88172645463325252u;
    for (int round = 0; round < 5000; round++) {
        char source[sizeof program];
        memcpy(source, program, sizeof program);
        for (int change = 0; change < 1 + round % 4; change++) {
            state ^= state << 13, state ^= state >> 7, state ^= state << 17;
            const size_t at = state % (sizeof program - 1);
            const size_t length = state >> 32 & 15;
            source[at] = pieces[(state >> 40) % (sizeof pieces - 1)];
            if (length == 0)
                memset(source + at, ' ', sizeof program - 1 - at < 40 ? sizeof program - 1 - at : 40);
        }
        struct umcc_text out = {0};
        umcc_unit_free(&unit);
        const int errors = umcc_rewrite(&unit, source, strlen(source), &out);
        const bool messages = unit.messages.length > 0;
        if (messages != (errors > 0 || unit.warnings > 0) || (errors == 0 && out.length == 0))
            UM_FAIL("round %d: %d errors, %zu bytes of messages, %zu of output", round, errors,
                    unit.messages.length, out.length);
        umcc_text_free(&out);
    }
    umcc_unit_free(&unit);
}

static void deep_nesting_is_refused(void)
{
    enum { DEPTH = 100000 };
    struct umcc_text source = {0};
    for (int i = 0; i < DEPTH; i++)
        umcc_text_add(&source, "namespace a{", 12);
    for (int i = 0; i < DEPTH; i++)
        umcc_text_add(&source, "}", 1);
    UM_CONTAINS(rewritten(source.data), "nest more than");
    umcc_text_free(&source);
    for (int i = 0; i < DEPTH; i++)
        umcc_text_add(&source, "f((", 3);
    umcc_text_add(&source, "<<<", 3);
    for (int i = 0; i < DEPTH; i++)
        umcc_text_add(&source, "))", 2);
    CU_ASSERT_TRUE(strlen(rewritten(source.data)) > 0);
    umcc_text_free(&source);
    umcc_unit_free(&unit);
}

UM_TESTS("umcc: tokens", {"literals are single tokens", literals_are_single_tokens},
         {"angle brackets stand alone", angle_brackets_stand_alone},
         {"comments and line breaks are space", comments_and_line_breaks_are_space},
         {"lines are the user's", lines_are_the_users},
         {"an unchanged unit comes out as it was", an_unchanged_unit_comes_out_as_it_was},
         {"unrolling pragmas go", unrolling_pragmas_go}, {"brackets have to match", brackets_have_to_match});
UM_TESTS("umcc: rewriting", {"functions are told from variables", functions_are_told_from_variables},
         {"scopes are followed", scopes_are_followed},
         {"waiting is found through calls", waiting_is_found_through_calls},
         {"built-in names are the host's own elsewhere", built_in_names_are_the_hosts_own_elsewhere},
         {"first conditions are tried", first_conditions_are_tried},
         {"numbered threads are known", numbered_threads_are_known},
         {"variables get their sections", variables_get_their_sections},
         {"shared variables are named together", shared_variables_are_named_together},
         {"host variables in device code are refused", host_variables_in_device_code_are_refused},
         {"nonsense ends in a message", nonsense_ends_in_a_message},
         {"deep nesting is refused", deep_nesting_is_refused});
