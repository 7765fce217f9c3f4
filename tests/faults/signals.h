/**
 * @file signals.h
 * @brief What the tests of signals beside managed memory share.
 *
 * The simulator pages managed memory by SIGSEGV; NVIDIA's driver uses no signal. So each of these programs
 * just works on a GPU, whatever it does with signals, and has to work here.
 */
#ifndef FAULTS_SIGNALS_H
#define FAULTS_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "child.h"

enum { WORDS = 1 << 18, BYTES_OF_WORDS = WORDS * 4 };

/** In a child: zeros in managed memory, which the device has. */
int *managed_words(void);

/** In a child: has the device fetch every page. */
void words_to_device(int *words);

/** In a child: the host adds one to a word of every page. @return whether each held `expected` before */
bool touch_words(int *words, int expected);

/** In a child: a page of the program's own without access. */
char *closed_page(void);

/** In a child: installs a handler of SIGSEGV that gets all it can. */
void handle_segv(void (*handler)(int, siginfo_t *, void *), int flags);

sigset_t all_signals(void);
sigset_t just(int signal_number);

/** In a child: whether the thread blocks the signal, as far as it is told. */
bool is_blocked(int signal_number);

/** The body runs to its end in a child. Skips the test where there is no managed memory. */
void it_works(void (*body)(void *));

/** The body's process ends by the signal. */
void it_dies_of(void (*body)(void *), int signal_number);

#endif
