/**
 * @file numbered.c
 * @brief Finds kernels that use their indices only to number their threads: `blockIdx.x * blockDim.x +
 * threadIdx.x`.
 *
 * If a kernel uses its indices for nothing else, consecutive blocks of one dimension can be run as one long
 * row of threads, as if all of them were in block 0. That saves the fixed cost of a block, which is about
 * the time of reading 500 bytes from memory (umsim/rows.h).
 *
 * The product and the sum must form a whole expression: the operators before and after them must not bind
 * more tightly, and nothing may truncate a part of them (`(short)blockIdx.x * blockDim.x + threadIdx.x`).
 */
#include "umcc.h"

static bool is_index(const struct umcc_unit *unit, int i, const char *name)
{
    return umcc_is(unit, i, name) && umcc_is(unit, i + 1, ".") && umcc_is(unit, i + 2, "x");
}

static bool is_product(const struct umcc_unit *unit, int i)
{
    return umcc_is(unit, i + 3, "*") &&
           ((is_index(unit, i, "blockIdx") && is_index(unit, i + 4, "blockDim")) ||
            (is_index(unit, i, "blockDim") && is_index(unit, i + 4, "blockIdx")));
}

/* Reads the number of a thread, which begins at token `i`. @return its last token, or -1 */
static int read_number(const struct umcc_unit *unit, int i)
{
    const bool product_first =
        is_product(unit, i) && umcc_is(unit, i + 7, "+") && is_index(unit, i + 8, "threadIdx");
    const bool product_last =
        is_index(unit, i, "threadIdx") && umcc_is(unit, i + 3, "+") && is_product(unit, i + 4);
    return product_first || product_last ? i + 10 : -1;
}

/* Whether `(size_t)` ends with the `)` at `i`: it widens the first operand, and so the sum. */
static bool is_widening(const struct umcc_unit *unit, int i)
{
    static const char *const words[] = {"int",     "long",     "unsigned", "size_t", "int32_t", "uint32_t",
                                        "int64_t", "uint64_t", "std",      "::",     NULL};
    const int open = unit->tokens[i].match;
    if (open < 0 || open >= i - 1)
        return false;
    for (int j = open + 1; j < i; j++)
        if (!umcc_is_any(unit, j, words))
            return false;
    return true;
}

static bool stands_alone(const struct umcc_unit *unit, int first, int last)
{
    static const char *const before[] = {"=", "(", "[", ",", "return", "<", ">", "<=", ">=", NULL};
    static const char *const behind[] = {
        ";", ")", "]", ",", "<", ">", "<=", ">=", "==", "!=", "&&", "||", "+", "-", NULL};
    int i = first - 1;
    if (umcc_is(unit, i, ")") && is_widening(unit, i))
        i = unit->tokens[i].match - 1;
    return umcc_is_any(unit, i, before) && umcc_is_any(unit, last + 1, behind);
}

bool umcc_is_numbered(const struct umcc_unit *unit, const struct umcc_decl *kernel)
{
    static const char *const indices[] = {"threadIdx", "blockIdx", "blockDim", NULL};
    bool any = false;
    for (int i = kernel->body + 1; i < kernel->body_end; i++) {
        if (!umcc_is_any(unit, i, indices))
            continue;
        const int last = read_number(unit, i);
        if (last < 0 || !stands_alone(unit, i, last))
            return false;
        i = last;
        any = true;
    }
    return any;
}
