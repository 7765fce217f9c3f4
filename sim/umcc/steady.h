/**
 * @file steady.h
 * @brief Conditions that are the same for all threads of most blocks, besides the first of a kernel
 * (guard.c): `if (i + 256 < n) ...`, `x = i < n ? in[i] : 0`.
 *
 * They keep gcc from vectorising a loop over threads, as the first does. So they are asked all at once for a
 * row of threads, at the body's beginning, and where each is as it mostly is, the row runs with these values
 * in their places. The variables that they are of are then evenly spaced along the row, without wrapping
 * around, and are computed so (::umsim::evenly): gcc sees which elements they index. In a copy of the body
 * that is never run (umsim/proof.h), g++ has to prove of each that it still has the value that it had at the
 * beginning: that what it is computed from has not changed.
 */
#ifndef UMCC_STEADY_H
#define UMCC_STEADY_H

#include "parameters.h"
#include "prefix.h"

#define UMCC_STEADY_MAX 16

/** The conditions of one kernel. */
struct umcc_steady {
    struct umcc_prefix *prefix; /**< the variables that they may be of */
    const struct umcc_decl *kernel;
    int number;         /**< of the kernel (proof.h) */
    const char *call;   /**< `um_guard` or `um_part`: the purpose of a call of the body */
    int count;          /**< of those that were found */
    const char *asked;  /**< C++: whether all are as they mostly are, a ::umsim::row_truth; NULL: none */
    const char *before; /**< declarations for the body's beginning, behind what asks */
    bool used[UMCC_PREFIX_MAX]; /**< the prefix's variables that they are of */
    struct umcc_parameters parameters;
    int firsts[UMCC_STEADY_MAX], first_count; /**< operands that must not change: their first tokens */
};

/** Begins with none.
 * @return false: the kernel has parameters of an unknown form, or classes in its body */
bool umcc_begin_steady(struct umcc_steady *steady, struct umcc_prefix *prefix, const struct umcc_decl *kernel,
                       int number, const char *call);
/** Marks the conditions among these tokens, which are in the kernel's body and behind what the prefix was
 * read from. */
void umcc_find_steady(struct umcc_steady *steady, int first, int last);
/** @return what the probe gives: whether all are as they mostly are, and their variables evenly spaced. */
const char *umcc_steady_answer(const struct umcc_steady *steady);
/** Has the declarations of the conditions' variables compute evenly spaced values. */
void umcc_space_evenly(const struct umcc_steady *steady);
/** @return the value of a variable, for another declaration of it; NULL: it is none of the conditions'
 * @param name the name's token where it is declared */
const char *umcc_steady_value(const struct umcc_steady *steady, int name);
/** @return the declaration of what is called where g++ finds no proof. */
const char *umcc_declare_unproven(struct umcc_unit *unit, int number, const char *what);

#endif
