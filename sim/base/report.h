/**
 * @file report.h
 * @brief The simulator's messages: one line on stderr, and exit status 2 where it cannot continue.
 */
#ifndef UMSIM_REPORT_H
#define UMSIM_REPORT_H

/** Says why the simulator cannot run here ("umsim: ...") and ends the program with status 2, at once: no
 * destructor runs, because the caller may hold any lock. */
__attribute__((noreturn, format(printf, 1, 2))) void umsim_die(const char *format, ...);

/** Writes one line to stderr ("umsim: ..."). */
__attribute__((format(printf, 1, 2))) void umsim_say(const char *format, ...);

#endif
