/**
 * @file hello.c
 * @brief Five minutes: one address in the GPU's memory, and three readers.
 *
 * cudaMalloc() returns a number that looks like any pointer. Three readers get the same number: the host
 * (this program), cudaMemcpy(), and a kernel. The host's read ends in a fault; this program survives it and
 * says what it was. Exit code: 0 when all three went as they should, 1 when not, 2 when there is no device.
 *
 *     make hello
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels.h"
#include "um_lab.h"

#define ANSWER 42

static int surprises;

/* Notes whether a reader did what it should. */
static const char *as_expected(bool it_was)
{
    if (!it_was)
        surprises++;
    return it_was ? "as it should be" : "NOT as it should be";
}

/* The host's own view of the address, from /proc/self/maps. */
static void why_not(const int *d_x)
{
    struct um_mapping mapping;
    const bool mapped = um_mapping_of(d_x, &mapping);

    if (!mapped)
        printf("   Why: the host's page table has nothing at this address.");
    else
        printf("   Why: the host's page table has %#llx-%#llx as `%s`%s.", (unsigned long long)mapping.start,
               (unsigned long long)mapping.end, mapping.permissions,
               strncmp(mapping.permissions, "--", 2) == 0 ? ": no read, no write" : "");
    printf(" The number is\n   %s; the memory behind it is the GPU's alone.\n\n",
           mapped ? "reserved, so that it means nothing else here" : "of no meaning here");
}

/* First reader: the host follows the pointer, as it would follow one from malloc(). */
static void host_reads(const int *d_x, const char *place)
{
    struct um_fault fault;
    bool refused;

    printf("1. The host reads *d_x.\n");
    fflush(stdout); /* the simulator now explains the fault on stderr: that belongs below this line */
    um_probe_read(d_x, &fault);
    refused = fault.faulted && fault.address == d_x;
    if (fault.faulted)
        printf("   %s, %s, at %s: %s. Without a handler the program would have ended here.\n",
               um_signal_name(&fault), um_code_name(&fault), place, as_expected(refused));
    else
        printf("   It can: %s.\n", as_expected(false));
    why_not(d_x);
}

/* Second reader: cudaMemcpy() gets the very number that the host could not follow. */
static void copy_reads(const int *d_x)
{
    int h_x = 0;
    const bool copied = UM_CHECK(cudaMemcpy(&h_x, d_x, sizeof h_x, cudaMemcpyDeviceToHost));

    printf("2. cudaMemcpy(&h_x, d_x, %zu, cudaMemcpyDeviceToHost) reads it.\n", sizeof h_x);
    printf("   h_x = %d: %s.\n", h_x, as_expected(copied && h_x == ANSWER));
    printf("   Why: the copy engine sees both memories. You asked for bytes to be moved; you followed "
           "nothing.\n\n");
}

/* Third reader: a kernel follows the pointer where it is at home. */
static void kernel_reads(int *d_x)
{
    int h_x = 0;
    bool ran = UM_CHECK(um_add_one(d_x, 1, 0)) && UM_CHECK(cudaDeviceSynchronize());

    ran = ran && UM_CHECK(cudaMemcpy(&h_x, d_x, sizeof h_x, cudaMemcpyDeviceToHost));
    printf("3. A kernel reads it: *d_x += 1, on the GPU.\n");
    printf("   Copied back, it is %d: %s.\n", h_x, as_expected(ran && h_x == ANSWER + 1));
    printf(
        "   Why: the kernel's loads go through the GPU's page table, and there this address is mapped.\n\n");
}

static int usage(const char *argument)
{
    if (strcmp(argument, "--help") == 0) {
        printf("One address in GPU memory, three readers. --profile NAME chooses the simulated machine.\n");
        return UM_EXIT_OK;
    }
    fprintf(stderr, "hello: what is this: %s (the one option is --profile NAME, the simulated machine)\n",
            argument);
    return UM_EXIT_CANNOT;
}

/* -1: go on. */
static int options(int argc, char **argv)
{
    if (argc == 1)
        return -1;
    if (argc != 3 || strcmp(argv[1], "--profile") != 0)
        return usage(argv[1]);
    if (!um_is_sim()) {
        fprintf(stderr, "hello: --profile is for the simulator, and this program was built for a real GPU\n");
        return UM_EXIT_CANNOT;
    }
    setenv("UMSIM_PROFILE", argv[2], 1); /* the simulator reads it at the first CUDA call */
    return -1;
}

int main(int argc, char **argv)
{
    const int answer = ANSWER;
    char place[UM_ADDRESS_TEXT];
    int *d_x = NULL;
    int stop = options(argc, argv);

    if (stop < 0)
        stop = um_device_ready("hello");

    if (stop >= 0)
        return stop;
    if (!UM_CHECK(cudaMalloc((void **)&d_x, sizeof *d_x)) ||
        !UM_CHECK(cudaMemcpy(d_x, &answer, sizeof answer, cudaMemcpyHostToDevice))) {
        cudaFree(d_x);
        return UM_EXIT_FAILED;
    }
    printf("One address, three readers.\n\n"
           "   int *d_x;  cudaMalloc(&d_x, %zu);  and %d is copied into it.  d_x = %s\n\n",
           sizeof *d_x, ANSWER, um_address_text(d_x, place));
    host_reads(d_x, place);
    copy_reads(d_x);
    kernel_reads(d_x);
    cudaFree(d_x);
    if (surprises == 0)
        printf(
            "So a pointer is only half of an address: the other half is who follows it. Next: make lab1\n");
    printf("hello: 3 readers, %s (%s, %s)\n", surprises == 0 ? "all as expected" : "NOT all as expected",
           um_backend_name(), um_device_label());
    return surprises == 0 ? UM_EXIT_OK : UM_EXIT_FAILED;
}
