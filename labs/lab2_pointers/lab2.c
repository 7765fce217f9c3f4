/**
 * @file lab2.c
 * @brief Lab 2: which memory does an address belong to, and why does the host fault on it?
 *
 * The lab makes one pointer of every kind that a CUDA program has, and asks three questions about it: what
 * does cudaPointerGetAttributes() say, can the host read it, can a kernel? The last two are not looked up
 * but tried: the host reads under a signal handler, and kernels that must fail run in a separate process
 * (trial.c). Then the lab takes the two failures apart: `host-fault` and `kernel-fault`.
 *
 *     make lab2
 *     make lab2 ARGS="--strategy host-fault"
 */
#include "ask.h"
#include "device_variable.h"

#define INTERIOR 12
#define ANSWER 42

/* What the two failures showed, for the text below the table. */
static struct {
    bool ran, copied;
    char address[UM_ADDRESS_TEXT];
    struct um_fault fault;
    struct um_mapping mapping;
} host_story;

static struct {
    bool ran;
    struct trial_result result;
} kernel_story;

static char global[64] = "a global variable";

/* Memory that the program has without CUDA. */
static void host(struct um_run *run)
{
    char on_stack[64] = "a variable of a function that is still running", *h_x = NULL;
    struct um_row *row = um_row(run, "malloc");

    UM_NEED(h_x = calloc(1, run->size));
    um_address_name(h_x, run->size, "h_malloc");
    um_address_name(on_stack, sizeof on_stack, "h_stack");
    um_address_name(global, sizeof global, "h_global");
    bad_pointer(row, h_x, run->size, TRIAL_MALLOC, &host_rule);
    bad_pointer(um_row(run, "stack"), on_stack, sizeof on_stack, TRIAL_STACK, &host_rule);
    bad_pointer(um_row(run, "global"), global, sizeof global, TRIAL_GLOBAL, &host_rule);
cleanup:
    um_address_forget(h_x);
    um_address_forget(on_stack);
    um_address_forget(global);
    free(h_x);
}

/* The GPU's memory: by cudaMalloc, and by name. */
static void device(struct um_run *run)
{
    struct um_row *row = um_row(run, "cudaMalloc");
    size_t symbol_bytes = 0;
    void *d_symbol = NULL;
    char *d_x = NULL;

    UM_TRY(cudaMalloc((void **)&d_x, run->size));
    UM_TRY(cudaMemset(d_x, 1, run->size));
    good_pointer(row, d_x, run->size, &device_rule);
    good_pointer(um_row(run, "interior"), d_x + INTERIOR, run->size, &device_rule);
    row = um_row(run, "symbol");
    UM_TRY(um_device_variable(&d_symbol, &symbol_bytes));
    um_address_name(d_symbol, symbol_bytes, "d_symbol");
    good_pointer(row, d_symbol, symbol_bytes, &device_rule);
    um_address_forget(d_symbol);
    bad_pointer(um_row(run, "past the end"), d_x + run->size, 0, TRIAL_PAST_END, &nobody_rule);
    row = um_row(run, "freed");
    UM_TRY(cudaFree(d_x));
    bad_pointer(row, d_x, 0, TRIAL_FREED, &nobody_rule);
    return;
cleanup:
    cudaFree(d_x);
}

/* The host's memory, locked in place, so that the GPU can reach it. */
static void pinned(struct um_run *run)
{
    struct um_row *row = um_row(run, "pinned");
    char *h_x = NULL;

    UM_TRY(cudaMallocHost((void **)&h_x, run->size));
    memset(h_x, 2, run->size);
    good_pointer(row, h_x, run->size, &pinned_rule);
cleanup:
    cudaFreeHost(h_x);
}

static void mapped(struct um_run *run)
{
    struct um_row *row = um_row(run, "mapped");
    char *h_x = NULL;

    if (!um_device()->can_map_host) {
        um_row_skip(row, "this device cannot map host memory (canMapHostMemory = 0)");
        return;
    }
    UM_TRY(cudaHostAlloc((void **)&h_x, run->size, cudaHostAllocMapped));
    memset(h_x, 3, run->size);
    good_pointer(row, h_x, run->size, &pinned_rule);
cleanup:
    cudaFreeHost(h_x);
}

static void registered(struct um_run *run)
{
    struct um_row *row = um_row(run, "registered");
    bool locked = false;
    char *h_x = NULL;

    if (!um_device()->host_register) {
        um_row_skip(row, "this device cannot register host memory (hostRegisterSupported = 0)");
        return;
    }
    if (skip_sanitized(row))
        return;
    UM_NEED(h_x = malloc(run->size));
    memset(h_x, 4, run->size);
    UM_TRY(cudaHostRegister(h_x, run->size, cudaHostRegisterMapped));
    locked = true;
    um_address_name(h_x, run->size, "h_registered");
    good_pointer(row, h_x, run->size, &pinned_rule);
cleanup:
    um_address_forget(h_x);
    if (locked)
        cudaHostUnregister(h_x);
    free(h_x);
}

static void host_memory_for_both(struct um_run *run)
{
    pinned(run);
    mapped(run);
    registered(run);
}

static void managed(struct um_run *run)
{
    struct um_row *row = um_row(run, NULL);
    char *x = NULL;

    if (!um_device()->managed) {
        um_row_skip(row, "this device has no managed memory (managedMemory = 0)");
        return;
    }
    UM_TRY(cudaMallocManaged((void **)&x, run->size, cudaMemAttachGlobal));
    memset(x, 5, run->size);
    good_pointer(row, x, run->size, &managed_rule);
cleanup:
    cudaFree(x);
}

/* The host follows a device pointer. Here the simulator may explain the fault on stderr. */
static void host_fault(struct um_run *run)
{
    struct um_row *row = um_row(run, NULL);
    int *d_x = NULL, *d_inside, value = ANSWER;
    bool right;

    UM_TRY(cudaMalloc((void **)&d_x, run->size));
    d_inside = d_x + INTERIOR / sizeof *d_x;
    UM_TRY(cudaMemcpy(d_inside, &value, sizeof value, cudaMemcpyHostToDevice));
    right = show_pointer(row, d_inside, &device_rule);
    um_probe_read(d_inside, &host_story.fault);
    um_address_text(d_inside, host_story.address);
    um_mapping_of(d_inside, &host_story.mapping);
    value = 0;
    UM_TRY(cudaMemcpy(&value, d_inside, sizeof value, cudaMemcpyDeviceToHost));
    host_story.copied = value == ANSWER;
    host_story.ran = true;
    show_kernel(row, kernel_reads(d_inside) ? cudaSuccess : cudaErrorUnknown);
    um_row_verified(row, right && host_story.copied && host_story.fault.signal == SIGSEGV &&
                             host_story.fault.code == SEGV_ACCERR && host_story.fault.address == d_inside);
cleanup:
    cudaFree(d_x);
}

/* A kernel follows a host pointer, in a process whose CUDA may break. */
static void kernel_fault(struct um_run *run)
{
    struct um_row *row = um_row(run, NULL);
    const struct trial_result *result = &kernel_story.result;
    char *h_x = NULL;
    bool right;

    if (um_device()->pageable_access) {
        um_row_skip(row, "this device follows the host's pointers, too (pageableMemoryAccess = 1)");
        return;
    }
    if (skip_sanitized(row))
        return;
    UM_NEED(h_x = calloc(1, run->size));
    um_address_name(h_x, run->size, "h_malloc");
    right = show_pointer(row, h_x, &host_rule);
    kernel_story.result = trial_make(TRIAL_MALLOC, run->size, false);
    kernel_story.ran = true;
    show_kernel(row, result->synchronize);
    right = right && result->ended && result->launch == cudaSuccess && result->reset == cudaSuccess;
    right =
        right && result->synchronize == cudaErrorIllegalAddress && result->copy == cudaErrorIllegalAddress;
    right = right && result->release == cudaErrorIllegalAddress && result->last == cudaErrorIllegalAddress;
    um_row_verified(row, right && result->allocate == cudaErrorDevicesUnavailable);
cleanup:
    um_address_forget(h_x);
    free(h_x);
}

static void tell_host_fault(FILE *out)
{
    const struct um_mapping *at = &host_story.mapping;

    fprintf(out, "\nhost-fault: the host reads *(int *)%s, %d bytes into a cudaMalloc allocation\n",
            host_story.address, INTERIOR);
    fprintf(out, "  signal   %s, si_code %s, si_addr %s\n", um_signal_name(&host_story.fault),
            um_code_name(&host_story.fault), host_story.address);
    if (at->end != 0)
        fprintf(out, "  maps     %llx-%llx %s %s\n", (unsigned long long)at->start,
                (unsigned long long)at->end, at->permissions, at->name);
    else
        fprintf(out, "  maps     no line of /proc/self/maps holds it\n");
    if (strncmp(at->permissions, "--", 2) == 0)
        fprintf(
            out,
            "  why      `--`: no read, no write. The number is reserved, so that it means nothing else in\n"
            "           this process; only the GPU's page table says where the memory is\n");
    fprintf(out, "  control  cudaMemcpy of the same four bytes: %s\n", host_story.copied ? "works" : "FAILS");
}

static void tell_call(FILE *out, const char *call, cudaError_t error, const char *meaning)
{
    const bool more = meaning[0] != '\0';

    um_print(out, 25, "  %-22s %s%s%s%s\n", call, cudaGetErrorName(error), more ? " (" : "", meaning,
             more ? ")" : "");
}

static void tell_kernel_fault(FILE *out)
{
    const struct trial_result *r = &kernel_story.result;

    um_print(
        out, 2,
        "\nkernel-fault: a kernel reads malloc's memory (in a process of its own: it loses CUDA by that)\n");
    tell_call(out, "um_page_read", r->launch, "a launch only queues the kernel");
    tell_call(out, "cudaDeviceSynchronize", r->synchronize,
              "it has run, and the GPU's page table has no such address");
    tell_call(out, "cudaMemcpy", r->copy, "sticky: a call that did nothing wrong returns it, too");
    tell_call(out, "cudaFree", r->release, "");
    tell_call(out, "cudaGetLastError", r->last, "");
    tell_call(out, "cudaDeviceReset", r->reset, "it succeeds");
    tell_call(out, "cudaMalloc", r->allocate, "but does not help: this process has lost the device");
    fprintf(out, "  the host code          %s\n",
            r->ended ? "ran on to its end: the error is a return value" : "DIED");
}

static void after(const struct um_results *results, FILE *out)
{
    fprintf(out, "host pointer, device pointer: cudaPointerGetAttributes' fields; itself: the same number\n");
    fprintf(out,
            "SIGSEGV: the host's page table refuses; error 700: cudaErrorIllegalAddress, the GPU's does\n");
    if (um_results_find(results, "freed"))
        fprintf(out, "past the end, freed: mistakes; what a kernel finds there is shown, not judged\n");
    if (host_story.ran)
        tell_host_fault(out);
    if (kernel_story.ran)
        tell_kernel_fault(out);
}

/* Whether the row's text under `key` is "yes". */
static bool says_yes(const struct um_row *row, const char *key)
{
    for (int i = 0; i < row->extra_count; i++) {
        if (strcmp(row->extras[i].key, key) == 0)
            return strcmp(row->extras[i].text, "yes") == 0;
    }
    return false;
}

static void closing(const struct um_results *results, const struct um_options *options,
                    struct um_closing *closing)
{
    int all = 0, host_can = 0, kernel_can = 0, both = 0;

    (void)options;
    for (size_t i = 0; i < results->count; i++) {
        const struct um_row *row = results->rows[i];
        const bool host_does = says_yes(row, "host_reads"), kernel_does = says_yes(row, "kernel_reads");

        if (row->verdict != UM_VERDICT_YES)
            continue;
        all++;
        host_can += host_does;
        kernel_can += kernel_does;
        both += host_does && kernel_does;
    }
    if (all > 1)
        um_closing_say(
            closing,
            "Of %d pointers the host can follow %d, a kernel %d, both only %d. The page tables decide; "
            "the number itself tells nothing.",
            all, host_can, kernel_can, both);
    closing->surprise = um_answering_row(results, "host-fault");
}

static const struct um_strategy strategies[] = {
    {"host", "malloc, the stack, a global variable", host},
    {"device", "cudaMalloc, inside, a symbol, past the end, freed", device},
    {"pinned", "cudaMallocHost, mapped, registered", host_memory_for_both},
    {"managed", "cudaMallocManaged", managed},
    {"host-fault", "the host follows a device pointer: signal, code, mapping", host_fault},
    {"kernel-fault", "a kernel follows a host pointer: what each call returns then", kernel_fault},
};

static const struct um_lab lab = {
    .name = "lab2",
    .question = "Whose address is it, and why does the host fault on it?",
    .about = "Makes a pointer of every kind, and tries who can follow it: the host, a kernel, both.",
    .size_is = "bytes of each allocation",
    .default_size = 4096,
    .minimum_size = 64,
    .device_arrays = 2,
    .host_arrays = 2,
    .managed_arrays = 1,
    .columns = UM_COLUMNS_OWN,
    .strategies = strategies,
    .strategy_count = UM_COUNT(strategies),
    .after = after,
    .closing = closing,
};

int main(int argc, char **argv)
{
    int code;

    if (!trial_service()) {
        fprintf(stderr, "lab2: cannot run here: no process for the trials can be made\n");
        return UM_EXIT_CANNOT;
    }
    code = um_lab_main(&lab, argc, argv);
    trial_end();
    return code;
}
