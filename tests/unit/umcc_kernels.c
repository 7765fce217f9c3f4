/**
 * @file umcc_kernels.c
 * @brief What umcc makes of kernels and launches, and which `__global__` it refuses.
 */
#include "sim/umcc/declarator.h"
#include "umcc_fixture.h"

#define K "__global__ void k(int);"
#define PUSH(configuration, call)                                                                            \
    "((::umsim::launching(" configuration ")).refused() ? (void)0 : (void) " call ")"

static void launches_become_calls(void)
{
    UM_CONTAINS(rewritten(K "f(){k<<<1,2>>>(x);}"), "f(){ " PUSH(" 1,2 ", "k (x) ") " ;}");
    UM_CONTAINS(rewritten(K "f(){ n::k<T, A<B<C>>> <<<g(1,2),b>>>(x); }"),
                ") ? (void)0 : (void) n::k<T, A<B<C>>>");
    UM_CONTAINS(rewritten(K "f(){ n::k<(a>b)><<<1,2>>>(x); }"), ") ? (void)0 : (void) n::k<(a>b)>");
    UM_CONTAINS(rewritten(K "f(){ k<<<1,A<B<C>>>>>(x); }"),
                "launching( 1,A<B<C>> )).refused() ? (void)0 : (void) k");
    UM_CONTAINS(rewritten("f(){ return t[i].p->k<<<1,2>>>(x); }"),
                "return ((::umsim::launching( 1,2 )).refused() ? (void)0 : (void) t[i].p->k");
    UM_CONTAINS(rewritten("f(){ if (a) (b ? k : l)<<<1,2>>>(x); }"),
                "if (a) ((::umsim::launching( 1,2 )).refused() ? (void)0 : (void) (b ? k : l)");
    UM_CONTAINS(rewritten(K "f(){ else ::k<<<1,2>>>(x); }"),
                "else ((::umsim::launching( 1,2 )).refused() ? (void)0 : (void) ::k");
    UM_CONTAINS(rewritten("f(){ x.template k<T><<<1,2>>>(x); }"), ") ? (void)0 : (void) x.template k<T>");
}

static void launches_of_other_names_ask_the_compiler(void)
{
    UM_CONTAINS(rewritten("f(){ (n::p)<<<1,2>>>(x); }"), "may_be_kernel<decltype(n::p)>::value");
    CU_ASSERT_PTR_NULL(strstr(rewritten(K "f(){ (k)<<<1,2>>>(x); }"), "may_be_kernel"));
    UM_CONTAINS(rewritten("void h(int); f(){ h<<<1,2>>>(1); }"), "a host function call cannot be configured");
    UM_CONTAINS(rewritten("void h(int); f(P h){ h<<<1,2>>>(1); }"), "may_be_kernel<decltype(h)>::value");
}

static void every_global_belongs_to_a_kernel(void)
{
    static const struct {
        const char *source, *name;
    } kernels[] = {
        {"__global__ void (k)(int *) { }", "k"},
        {"__global__ void ((n::k))(int *) { }", "k"},
        {"__global__ void (k(int *)) { }", "k"},
        {"__global__ T (k)(int *) { }", "k"},
        {"__global__ T (k(int *)) { }", "k"},
        {"__global__ void k [[a]] (int *) { }", "k"},
        {"__global__ void k __launch_bounds__(3) (int *) { }", "k"},
        {"void k __global__ (int *) { }", "k"},
        {"__global__ void __attribute__((a)) k(int *) __attribute__((b));", "k"},
        {"__global__ auto k(int *) -> typename a<b>::c { }", "k"},
        {"template <class T> requires (a<T> && b) || requires (T t) { t; } __global__ void k(T) { }", "k"},
        {"template <class T> __global__ void k(T) requires (a<T>) { }", "k"},
        {"void f() { extern __global__ void k(int); }", "f"},
    };
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        const struct umcc_decl *d = declaration(kernels[i].source, 0);
        umcc_settle_marks(&unit);
        if (d->form != UMCC_FUNCTION || !umcc_is(&unit, d->name, kernels[i].name) || unit.errors)
            UM_FAIL("%s: not the kernel %s", kernels[i].source, kernels[i].name);
    }
    static const char *const others[] = {"auto f = [] __global__ (int *) { };", "void f() { g(__global__); }",
                                         "int a = __global__;", "void f(int a __global__ = 3);"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        UM_CONTAINS(rewritten(others[i]), "this __global__ belongs to no function's declaration");
}

static void what_is_no_launch_stays(void)
{
    static const char *const sources[] = {"f(){a<<b<c;}", "S &operator<<<int>(S &);", "f(){a < < <b;}",
                                          "s=\"k<<<1,2>>>()\";", "f(){A<B<C<int>>>(x);}"};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        UM_STRING_EQUAL(rewritten(sources[i]), sources[i]);
}

static void bad_launches_are_refused(void)
{
    UM_CONTAINS(rewritten("f(){k<<<1,2>>;}"), "has no matching >>>");
    UM_CONTAINS(rewritten("f(){k<<<1,2>>>;}"), "has no matching >>>");
    UM_CONTAINS(rewritten("f(){k<<<1>>>();}"), "at least the grid's and the block's size");
    UM_CONTAINS(rewritten("f(){+<<<1,2>>>();}"), "must follow the name of a kernel");
}

static void kernels_become_stubs(void)
{
    const char *text = rewritten("__global__ void k(int *p) { *p = 1; }");
    UM_CONTAINS(text, "void k(int *p) { auto um_body = [=](");
    UM_CONTAINS(text, "-> void { { *p = 1; }}; struct um_name");
    UM_CONTAINS(text,
                "::umsim::launch<::umsim::blocks, false, um_name>(um_body); } namespace um_registry_0 {");
    UM_CONTAINS(text, "void um_signature_0(int *p);");
    text = rewritten("template <class T, int N> __global__ void k(T *p) { }");
    UM_CONTAINS(text, "::umsim::registered<um_type *, &::k<T, N>, um_name>::here;");
    text = rewritten("template <class, int... N> __global__ void k(int (&)[3], T... t, const char) { }");
    UM_CONTAINS(text, "template <class um_t0 , int... N>");
    UM_CONTAINS(text, "int (& um_p0 )[3], T... t, const char um_p2 )");
    UM_CONTAINS(text, "typedef void um_type(typename ::umsim::parameter_type<decltype(um_p0)>::type, "
                      "typename ::umsim::parameter_type<decltype(t)>::type..., "
                      "typename ::umsim::parameter_type<decltype(um_p2)>::type);");
    UM_STRING_EQUAL(rewritten("__global__ void k(int *p);"), "void k(int *p);");
}

UM_TESTS("umcc: kernels", {"launches become calls", launches_become_calls},
         {"launches of other names ask the compiler", launches_of_other_names_ask_the_compiler},
         {"what is no launch stays", what_is_no_launch_stays},
         {"bad launches are refused", bad_launches_are_refused},
         {"every __global__ belongs to a kernel", every_global_belongs_to_a_kernel},
         {"kernels become stubs", kernels_become_stubs});
