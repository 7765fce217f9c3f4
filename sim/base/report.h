/**
 * @file report.h
 * @brief How the simulator speaks: one line on stderr, and exit 2 where it cannot go on.
 */
#ifndef UMSIM_REPORT_H
#define UMSIM_REPORT_H

/** Says why the simulator cannot run here ("umsim: ...") and ends the program with status 2. */
__attribute__((noreturn, format(printf, 1, 2))) void umsim_die(const char *format, ...);

/** One line on stderr ("umsim: ..."). */
__attribute__((format(printf, 1, 2))) void umsim_say(const char *format, ...);

#endif
