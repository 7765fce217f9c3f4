/**
 * @file undefined.c
 * @brief Compares the rows of undefined.def with a GPU's answers.
 */
#include "undefined.h"

#include <stdio.h>
#include <stdlib.h>

#include "behaviour.h"
#include "child.h"
#include "um_test.h"

static const char *const names[] = {
#define ROW(name, A, value_a, B, value_b, R, expression) name,
#include "undefined.def"
#undef ROW
};
#define ROWS (sizeof names / sizeof *names)
_Static_assert(ROWS <= UNDEFINED_MAX, "all have a place");

static const struct um_difference differences[] = {
#define DIFFERS(name, ours, why) {name, ours, why},
#include "undefined_differences.def"
#undef DIFFERS
};

struct results {
    unsigned long long from_memory[UNDEFINED_MAX], constant[UNDEFINED_MAX];
    cudaError_t error;
};

static void body(void *area)
{
    struct results *r = area;

    r->error = undefined_run(r->from_memory, r->constant);
}

static void operations_without_a_defined_result_give_the_GPUs(void)
{
    static struct results r;
    char name[128];

    um_behaviour_differences(differences, sizeof differences / sizeof *differences);
    if (!child_run(body, &r, sizeof r))
        return;
    UM_RETURNS("undefined operations: the kernel", r.error);
    for (size_t i = 0; i < ROWS; i++) {
        snprintf(name, sizeof name, "%s, operands from memory", names[i]);
        UM_BEHAVIOUR(name, "%#llx", r.from_memory[i]);
        snprintf(name, sizeof name, "%s, constant operands", names[i]);
        UM_BEHAVIOUR(name, "%#llx", r.constant[i]);
    }
}

struct access {
    int bytes, offset, writes, where;
    cudaError_t error;
};

static void touch(void *area)
{
    struct access *a = area;

    a->error = misaligned_run(a->bytes, a->offset, a->writes, a->where);
}

static void misaligned_accesses_are_errors(void)
{
    static const int cases[][2] = {{2, 1}, {4, 2}, {4, 1}, {8, 4}, {-8, 4}, {16, 8}, {16, 4}, {-4, 2}};
    char name[128];

    um_behaviour_differences(differences, sizeof differences / sizeof *differences);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int how = 0; how < 4; how++) {
            struct access a = {cases[i][0], cases[i][1], how % 2, how / 2, cudaSuccess};
            if (!child_run(touch, &a, sizeof a))
                continue;
            snprintf(name, sizeof name, "misaligned: %s%d bytes at +%d, %s, %s",
                     a.bytes < 0 ? "special " : "", abs(a.bytes), a.offset, a.writes ? "write" : "read",
                     a.where ? "shared" : "global");
            UM_RETURNS(name, a.error);
        }
    }
}

struct ending {
    int ended;
    cudaError_t error;
};

static void do_not_return(void *area)
{
    struct ending *e = area;

    e->error = unfinished_run(&e->ended);
}

static void a_function_without_its_return_goes_on(void)
{
    struct ending e = {0, cudaSuccess};

    if (!child_run(do_not_return, &e, sizeof e))
        return;
    UM_BEHAVIOUR("a device function without its return", "%s %d", cudaGetErrorName(e.error), e.ended);
}

UM_TESTS("undefined operations",
         {"operations without a defined result give the GPU's",
          operations_without_a_defined_result_give_the_GPUs},
         {"misaligned accesses are errors", misaligned_accesses_are_errors},
         {"a function without its return goes on", a_function_without_its_return_goes_on});
