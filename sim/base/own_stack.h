/**
 * @file own_stack.h
 * @brief Runs a part of a signal handler, or what moves the thread's own stack, on a stack of the simulator's
 * own.
 *
 * What a fault of managed memory takes, or an explanation, does not fit on every stack of a program:
 * alternate stacks may have 2 KiB. So the handler itself uses a few hundred bytes of the stack that it is
 * called on.
 */
#ifndef UMSIM_OWN_STACK_H
#define UMSIM_OWN_STACK_H

/** Calls work(argument) on another stack, and returns when it has returned. Async-signal-safe. All signals
 * have to be blocked, so that `work` is not left otherwise. */
void umsim_on_own_stack(void (*work)(void *argument), void *argument);

#endif
