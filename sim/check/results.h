/**
 * @file results.h
 * @brief umcc --check-json=FILE, UMSIM_CHECK_JSON=FILE: what --check has told, as one JSON document
 * (docs/schema/umlab-check-1.json).
 *
 * Host process only. The file is a whole document at every moment: each report makes a new one beside it,
 * which then takes its name. So a program that dies leaves what was told before, and of two programs with one
 * file the last one's document stays. `complete` says whether the program came to its end. What is no regular
 * file (a pipe, /dev/stdout) gets the document at the end.
 *
 * A fault handler may call these.
 */
#ifndef UMSIM_CHECK_RESULTS_H
#define UMSIM_CHECK_RESULTS_H

#include "fields.h"

/** Before main(): writes a document without reports. If that cannot be done the program ends with status 2.
 * @param path `%p` stands for the process's number
 * @param by what names it, for messages: UMSIM_CHECK_JSON or --check-json */
void umsim_results_open(const char *path, const char *by);

/** Whether there is such a file, and this process writes it. */
bool umsim_results_wanted(void);

/** Adds a report, or a row of the table of coalescing.
 * @return what umsim_results_count() names it by; 0: it was not kept */
enum umsim_results_part { UMSIM_RESULTS_REPORTS, UMSIM_RESULTS_COALESCING, UMSIM_RESULTS_PARTS };
size_t umsim_results_add(enum umsim_results_part part, const struct umsim_fields *members, uint64_t count);

/** Says how often a report was made in all. */
void umsim_results_count(size_t report, uint64_t count);

/** The sums so far; written with the next document. */
struct umsim_results_sums {
    unsigned long errors, notes;
    uint64_t lost; /* accesses at more places than are kept */
    size_t leaked_bytes, leaked_allocations;
};
void umsim_results_sums(const struct umsim_results_sums *sums);

/** The last document. @param status with which the program ends; -1: by a signal
 * @return whether all documents could be written */
bool umsim_results_close(int status);

#endif
