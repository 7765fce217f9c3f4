/**
 * @file checked.c
 * @brief Support for programs built with `umcc --check`: which errors to look for, and the report at the end.
 */
#include "../base/lock.h"
#include "../base/processes.h"
#include "../base/report.h"
#include "../base/sticky.h"
#include "../check/check.h"
#include "../check/coalesce.h"
#include "../check/refusal.h"
#include "../check/report.h"
#include "../check/results.h"
#include "../devlib/print.h"
#include "../queue/executor.h"
#include "../queue/kernel_op.h"
#include "../base/mode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pid_t owner;

/* ---- which errors to look for ---- */

static const struct {
    const char *name;
    unsigned checks;
} names[] = {
    {"all", UMSIM_CHECK_ALL},   {"memory", UMSIM_CHECK_MEMORY},
    {"init", UMSIM_CHECK_INIT}, {"race", UMSIM_CHECK_RACE},
    {"leak", UMSIM_CHECK_LEAK}, {"host", UMSIM_CHECK_HOST},
    {"api", UMSIM_CHECK_API},   {"coalescing", UMSIM_CHECK_COALESCING},
    {"each", UMSIM_CHECK_EACH},
};

static unsigned checks_of(const char *list, const char *from)
{
    unsigned checks = 0;
    for (const char *word = list; *word; word += word[0] == ',') {
        const size_t length = strcspn(word, ",");
        unsigned found = 0;
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            if (strlen(names[i].name) == length && memcmp(names[i].name, word, length) == 0)
                found = names[i].checks;
        if (!found)
            umsim_die(
                "%s=%s: there are all, memory, init, race, leak, host, api, coalescing, separated by commas",
                from, list);
        checks |= found;
        word += length;
    }
    return checks;
}

/* ---- the report at the end ---- */

static void at_exit(int status, void *unused)
{
    (void)unused;
    if (owner != getpid())
        return;
    if (umsim_lock_unless_mine()) {
        const unsigned long printed = umsim_print_count();
        if (umsim_check_started() && !umsim_sticky_error())
            umsim_queue_finish_all(); /* work that nobody waited for can be wrong, too */
        umsim_check_report();
        if (umsim_print_count() != printed && !umsim_sticky_error() && (umsim_checks & UMSIM_CHECK_HOST))
            umsim_report_lost_output(umsim_kernel_that_printed());
        umsim_refusals_repeated();
        umsim_report_leaks();
        umsim_report_coalescing();
        umsim_unlock();
    }
    const bool has_errors = umsim_report_summary() > 0;
    int result = status ? status : has_errors;
    if (!umsim_results_close(result) && !result)
        result = 2; /* whoever reads the file must not take the program for verified */
    if (result == status)
        return;
    fflush(NULL);
    _exit(result);
}

static const char *results_file; /* the first object file's that names one */

void umsim_check_json(const char *file)
{
    results_file = results_file ? results_file : file;
}

/* What --check keeps is there from the simulator's start on, or never. */
static void tell_too_late(void)
{
    static bool told;
    if (!told)
        umsim_say(
            "a module was compiled with --check, but the program began without: it runs unchecked "
            "(UMSIM_CHECK_MODULES=all has programs check what they load later; umpython --check sets it)");
    told = true;
}

void umsim_check_begin(const char *list)
{
    if (umsim_gpu_pid() && !umsim_check_started()) {
        tell_too_late();
        return;
    }
    const char *wish = getenv("UMSIM_CHECK");
    umsim_checks |= wish && *wish ? checks_of(wish, "UMSIM_CHECK") : checks_of(list, "--check");
    const char *wish_file = getenv("UMSIM_CHECK_JSON");
    if (wish_file && *wish_file && !umsim_results_wanted())
        umsim_results_open(wish_file, "UMSIM_CHECK_JSON");
    if (results_file && !umsim_results_wanted())
        umsim_results_open(results_file, "--check-json");
    if (owner)
        return;
    owner = getpid();
    on_exit(at_exit, NULL);
}
