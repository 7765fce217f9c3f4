/**
 * @file common_fault.c
 * @brief Tests of common/um_fault, um_address and um_check, on memory that needs no device.
 */
#include "um_lab.h"
#include "um_test.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common_capture.h"

#define PAGE ((size_t)4096)

/* A page of anonymous memory with this protection. */
static char *page(int protection)
{
    char *p = mmap(NULL, PAGE, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    CU_ASSERT_FATAL(p != MAP_FAILED);
    return p;
}

static void ordinary_memory_can_be_touched(void)
{
    struct um_fault fault;
    char byte = 42;

    CU_ASSERT_TRUE(um_probe_read(&byte, &fault));
    CU_ASSERT_FALSE(fault.faulted);
    UM_STRING_EQUAL(um_signal_name(&fault), "none");
    CU_ASSERT_TRUE(um_probe_write(&byte, NULL));
    UM_EQUAL(byte, 42);
}

static void reserved_memory_gives_SEGV_ACCERR_at_the_very_address(void)
{
    char *p = page(PROT_NONE);
    struct um_fault fault;

    CU_ASSERT_FALSE(um_probe_read(p + 12, &fault));
    UM_EQUAL(fault.signal, SIGSEGV);
    UM_EQUAL(fault.code, SEGV_ACCERR);
    CU_ASSERT_PTR_EQUAL(fault.address, p + 12);
    UM_STRING_EQUAL(um_signal_name(&fault), "SIGSEGV");
    UM_STRING_EQUAL(um_code_name(&fault), "SEGV_ACCERR");
    munmap(p, PAGE);
}

static void unmapped_memory_gives_SEGV_MAPERR(void)
{
    char *p = page(PROT_NONE);
    struct um_fault fault;

    munmap(p, PAGE);
    CU_ASSERT_FALSE(um_probe_write(p, &fault));
    UM_STRING_EQUAL(um_code_name(&fault), "SEGV_MAPERR");
    CU_ASSERT_PTR_EQUAL(fault.address, p);
}

static void a_read_only_page_can_be_read_and_not_written(void)
{
    char *p = page(PROT_READ);
    struct um_fault fault;

    CU_ASSERT_TRUE(um_probe_read(p + 1, &fault));
    CU_ASSERT_FALSE(um_probe_write(p + 1, &fault));
    UM_STRING_EQUAL(um_code_name(&fault), "SEGV_ACCERR");
    CU_ASSERT_PTR_EQUAL(fault.address, p + 1);
    munmap(p, PAGE);
}

static void a_page_beyond_the_end_of_its_file_gives_SIGBUS(void)
{
    FILE *file = tmpfile();
    char *p = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fileno(file), 0);
    struct um_fault fault;

    CU_ASSERT_FATAL(p != MAP_FAILED);
    CU_ASSERT_FALSE(um_probe_read(p, &fault));
    UM_STRING_EQUAL(um_signal_name(&fault), "SIGBUS");
    UM_STRING_EQUAL(um_code_name(&fault), "BUS_ADRERR");
    munmap(p, PAGE);
    fclose(file);
}

static void handler(int signal)
{
    (void)signal;
}

static void the_handler_that_stood_before_stands_after(void)
{
    struct sigaction own, before, after;
    char *p = page(PROT_NONE);

    memset(&own, 0, sizeof own);
    own.sa_handler = handler;
    sigaction(SIGSEGV, &own, &before);
    CU_ASSERT_FALSE(um_probe_read(p, NULL));
    sigaction(SIGSEGV, &before, &after);
    CU_ASSERT_TRUE(after.sa_handler == handler);
    munmap(p, PAGE);
}

static void probing_a_thousand_times_works(void)
{
    char *p = page(PROT_NONE);
    int faults = 0;

    for (int i = 0; i < 1000; i++) {
        faults += !um_probe_read(p + i, NULL);
    }
    UM_EQUAL(faults, 1000);
    munmap(p, PAGE);
}

static void a_mapping_is_found_in_proc_self_maps(void)
{
    char *p = page(PROT_READ);
    struct um_mapping mapping;
    char line[512], start[32];

    CU_ASSERT_TRUE(um_mapping_of(p, &mapping));
    CU_ASSERT_TRUE(mapping.start <= (uintptr_t)p && (uintptr_t)p < mapping.end);
    UM_STRING_EQUAL(mapping.permissions, "r--p");
    CU_ASSERT_TRUE(um_maps_line(p, line, sizeof line));
    snprintf(start, sizeof start, "%lx-", (unsigned long)mapping.start);
    UM_EQUAL(strncmp(line, start, strlen(start)), 0);
    munmap(p, PAGE);
    CU_ASSERT_FALSE(um_mapping_of(NULL, &mapping));
    CU_ASSERT_FALSE(um_maps_line(NULL, line, sizeof line));
    UM_STRING_EQUAL(line, "");
}

static void the_stack_is_known_by_its_name(void)
{
    struct um_mapping mapping = {0};

    CU_ASSERT_TRUE(um_mapping_of(&mapping, &mapping));
    UM_STRING_EQUAL(mapping.name, "[stack]");
}

static void addresses_print_the_same_in_each_run_on_sim(void)
{
    static const int constant = 1;
    char text[UM_ADDRESS_TEXT];
    float *x;

    if (!um_is_sim())
        UM_SKIP("on cuda addresses print as plain numbers");
    x = malloc(64);
    UM_STRING_EQUAL(um_address_text(NULL, text), "NULL");
    UM_STRING_EQUAL(um_address_text(text, text), "<stack>");
    UM_STRING_EQUAL(um_address_text(&constant, text), "<program>");
    um_address_name(x, 64, "h_x");
    UM_STRING_EQUAL(um_address_text(x, text), "<h_x>");
    UM_STRING_EQUAL(um_address_text(x + 4, text), "<h_x+0x10>");
    CU_ASSERT_STRING_NOT_EQUAL(um_address_text(x + 16, text), "<h_x+0x40>");
    um_address_forget(x);
    CU_ASSERT_STRING_NOT_EQUAL(um_address_text(x, text), "<h_x>");
    free(x);
}

static void a_failed_call_tells_expression_place_name_and_hint(void)
{
    struct capture err;
    bool good;

    capture_begin(&err, STDERR_FILENO);
    good = um_check(cudaErrorInvalidValue, "cudaFree(stack)", "lab9.c", 41);
    capture_end(&err);
    CU_ASSERT_FALSE(good);
    UM_CONTAINS(err.text, "lab9.c:41: cudaFree(stack) failed");
    UM_CONTAINS(err.text, "cudaErrorInvalidValue (1)");
    UM_CONTAINS(err.text, um_hint(cudaErrorInvalidValue));
}

static void a_successful_call_tells_nothing(void)
{
    struct capture err;
    bool good;

    capture_begin(&err, STDERR_FILENO);
    good = um_check(cudaSuccess, "x", "y", 1);
    capture_end(&err);
    CU_ASSERT_TRUE(good);
    UM_STRING_EQUAL(err.text, "");
}

static void every_hint_is_said_once_and_every_error_has_one(void)
{
    size_t count;
    const struct um_hint_row *rows = um_hint_table(&count);

    CU_ASSERT_TRUE(count > 20);
    for (size_t i = 0; i < count; i++) {
        CU_ASSERT_TRUE(strlen(rows[i].sentence) > 20);
        for (size_t j = 0; j < i; j++) {
            if (rows[i].error == rows[j].error)
                UM_FAIL("error %d has two hints", (int)rows[i].error);
        }
        CU_ASSERT_PTR_EQUAL(um_hint(rows[i].error), rows[i].sentence);
    }
    CU_ASSERT_PTR_NOT_NULL(um_hint((cudaError_t)12345));
}

UM_TESTS("fault", {"ordinary memory can be touched", ordinary_memory_can_be_touched},
         {"reserved memory gives SEGV_ACCERR at the very address",
          reserved_memory_gives_SEGV_ACCERR_at_the_very_address},
         {"unmapped memory gives SEGV_MAPERR", unmapped_memory_gives_SEGV_MAPERR},
         {"a read-only page can be read and not written", a_read_only_page_can_be_read_and_not_written},
         {"a page beyond the end of its file gives SIGBUS", a_page_beyond_the_end_of_its_file_gives_SIGBUS},
         {"the handler that stood before stands after", the_handler_that_stood_before_stands_after},
         {"probing a thousand times works", probing_a_thousand_times_works},
         {"a mapping is found in /proc/self/maps", a_mapping_is_found_in_proc_self_maps},
         {"the stack is known by its name", the_stack_is_known_by_its_name});
UM_TESTS("address",
         {"addresses print the same in each run on sim", addresses_print_the_same_in_each_run_on_sim});
UM_TESTS("check",
         {"a failed call tells expression, place, name and hint",
          a_failed_call_tells_expression_place_name_and_hint},
         {"a successful call tells nothing", a_successful_call_tells_nothing},
         {"every hint is said once, and every error has one",
          every_hint_is_said_once_and_every_error_has_one});
