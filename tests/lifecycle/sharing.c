/**
 * @file sharing.c
 * @brief cudaHostRegister() of memory that is shared with files and other processes (programs/shares.cu).
 */
#include "spawn.h"

#include <grp.h>
#include <stddef.h>
#include <unistd.h>

#include "um_test.h"

static void become_nobody(void)
{
    if (setgroups(0, NULL) != 0 || setgid(65534) != 0 || setuid(65534) != 0)
        _exit(99);
}

/** @param says what it writes to stderr; NULL: nothing */
static void shares(const char *mode, const char *says)
{
    struct run run = {.program = "shares", .arguments = {mode}};
    run_to_end(&run);
    run_exited(&run, 0);
    if (says)
        UM_CONTAINS(run.err, says);
    else
        UM_STRING_EQUAL(run.err, "");
    run_left_nothing(&run);
}

/* What AddressSanitizer needs stays open to kernels, and with it all that the host shares. */
static void need_closed_memory(void)
{
#if defined(__SANITIZE_ADDRESS__)
    UM_SKIP("under AddressSanitizer the host's memory is not closed to kernels");
#endif
}

static void anonymous_shared_memory_stays_shared_mapped_before_or_after(void)
{
    shares("anonymous", NULL);
}

static void files_in_memory_stay_shared_with_mappings_and_descriptors(void)
{
    shares("files", NULL);
}

static void a_file_without_name_and_descriptor_stays_shared(void)
{
    shares("without-a-name", NULL);
}

static void a_mapping_that_was_moved_stays_the_files(void)
{
    shares("moved", NULL);
}

static void another_file_at_the_same_address_is_the_other_file(void)
{
    shares("one-address-many-files", NULL);
}

static void registrations_may_share_a_page_of_a_file(void)
{
    shares("overlapping", NULL);
}

static void a_range_may_be_private_then_shared_then_private(void)
{
    shares("mixed", NULL);
}

static void kernels_do_not_write_to_what_is_registered_for_reading(void)
{
    need_closed_memory();
    shares("read-only", "registered with cudaHostRegisterReadOnly");
}

static void kernels_do_not_reach_shared_memory_that_is_not_registered(void)
{
    need_closed_memory();
    shares("not-registered", "in memory that the host shares");
}

static void kernels_do_not_reach_it_after_it_was_unregistered(void)
{
    need_closed_memory();
    shares("no-longer-registered", "make it reachable with cudaHostRegister");
}

static void memory_that_no_child_inherits_is_refused_with_a_line(void)
{
    shares("not-inherited", "no child inherits it (MADV_DONTFORK?)");
}

static void queued_work_and_other_memory_live_through_a_registration(void)
{
    shares("with-work-queued", NULL);
}

static void an_ordinary_user_may_do_it_too(void)
{
    if (geteuid() != 0)
        UM_SKIP("the other tests have shown it: this is not root");
    if (access(program_path("shares"), X_OK) != 0)
        UM_SKIP("the program is not there");
    struct run run = {.program = "shares", .arguments = {"without-a-name"}, .before_exec = become_nobody};
    run_to_end(&run);
    if (run.status == 127 << 8 || run.status == 99 << 8)
        UM_SKIP("the build folder is closed to other users, or this root is none");
    run_exited(&run, 0);
    UM_STRING_EQUAL(run.err, "");
}

UM_TESTS("shared memory",
         {"anonymous shared memory stays shared, mapped before or after CUDA's start",
          anonymous_shared_memory_stays_shared_mapped_before_or_after},
         {"files in memory stay shared with mappings and descriptors",
          files_in_memory_stay_shared_with_mappings_and_descriptors},
         {"a file without name and descriptor stays shared", a_file_without_name_and_descriptor_stays_shared},
         {"a mapping that was moved stays the file's", a_mapping_that_was_moved_stays_the_files},
         {"another file at the same address is the other file",
          another_file_at_the_same_address_is_the_other_file},
         {"registrations may share a page of a file", registrations_may_share_a_page_of_a_file},
         {"a range may be private, then shared, then private",
          a_range_may_be_private_then_shared_then_private},
         {"kernels do not write to what is registered for reading",
          kernels_do_not_write_to_what_is_registered_for_reading},
         {"kernels do not reach shared memory that is not registered",
          kernels_do_not_reach_shared_memory_that_is_not_registered},
         {"kernels do not reach it after it was unregistered",
          kernels_do_not_reach_it_after_it_was_unregistered},
         {"memory that no child inherits is refused with a line",
          memory_that_no_child_inherits_is_refused_with_a_line},
         {"queued work and other memory live through a registration",
          queued_work_and_other_memory_live_through_a_registration},
         {"an ordinary user may do it, too", an_ordinary_user_may_do_it_too});
