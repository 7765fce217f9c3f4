/**
 * @file proof.h
 * @brief Which kernels of a source file umcc transforms, and which stay as they are written.
 *
 * umcc does not conclude from a kernel's spelling that a transformation is right. It writes the transformed
 * text so that g++ refuses it where it would be wrong: a probe in it does not compile, or a call that g++
 * can only remove if a value never changes (umsim/proof.h) is still there. Such an error names the kernel,
 * "um-probe 3", and the driver compiles the file again with that kernel as it is written.
 */
#ifndef UMCC_PROOF_H
#define UMCC_PROOF_H

#include <stdbool.h>

/** One kernel with a body. */
struct umcc_kernel {
    char *name, *file;
    int line, last_line; /**< of its body */
    const char *form;    /**< the class of umsim/ that runs it; a constant */
    bool is_transformed; /**< in the text that was written last */
    bool stays_plain;    /**< it has to stay as it is written */
    bool is_turned; /**< loops of it are turned inside out in the text that was written last (turned.c) */
    bool is_steady; /**< conditions behind the first are asked for rows (steady.h) */
    bool stays_unturned; /**< loops and these have to stay as they are written; all else is tried */
    bool lacks_reason;   /**< ... and what g++ said of it comes next in its messages */
    char *why;           /**< what g++ said; NULL if it said nothing about it */
};

/** All of a source file, in its order. */
struct umcc_kernels {
    struct umcc_kernel *items;
    int count, capacity;
};

/** @return kernel `number`, which is added if it is the next one. */
struct umcc_kernel *umcc_kernel_at(struct umcc_kernels *kernels, int number);
/** Notes where a kernel stands. */
void umcc_describe_kernel(struct umcc_kernel *kernel, const char *name, const char *file, int line,
                          int last_line);
/** @return whether one of them is transformed. */
bool umcc_any_transformed(const struct umcc_kernels *kernels);
/**
 * Reads what g++ said of the transformed text. Every transformed kernel that an error names, or in whose
 * lines one lies, stays plain; if there is no such kernel, all do.
 */
void umcc_read_refusals(struct umcc_kernels *kernels, const char *messages);
/** Prints a line for each kernel on stderr, as docs/debugging.md says: how it is transformed. */
void umcc_print_forms(const struct umcc_kernels *kernels);
/** The same for those that stay plain, of the form that counts. */
void umcc_print_uncut(const struct umcc_kernels *kernels);
/** Frees them. */
void umcc_kernels_free(struct umcc_kernels *kernels);

#endif
