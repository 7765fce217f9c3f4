/**
 * @file ask.c
 * @brief Implementation of ask.h: asks CUDA, the host and a kernel about a pointer, and compares the answers
 * with the rule.
 */
#include <fcntl.h>
#include <unistd.h>

#include "ask.h"

const struct rule host_rule = {.type = cudaMemoryTypeUnregistered, .host_reads = true};
const struct rule device_rule = {.type = cudaMemoryTypeDevice, .kernel_reads = true};
const struct rule pinned_rule = {.type = cudaMemoryTypeHost, .host_reads = true, .kernel_reads = true};
const struct rule managed_rule = {.type = cudaMemoryTypeManaged, .host_reads = true, .kernel_reads = true};
const struct rule nobody_rule = {.type = cudaMemoryTypeUnregistered, .undefined = true};

bool skip_sanitized(struct um_row *row)
{
#if defined(__SANITIZE_ADDRESS__)
    if (um_is_sim()) {
        um_row_skip(row,
                    "built with AddressSanitizer, the simulator cannot take the host's memory from kernels");
        return true;
    }
#endif
    (void)row;
    return false;
}

static const char *type_name(enum cudaMemoryType type)
{
    static const char *const names[] = {"Unregistered", "Host", "Device", "Managed"};

    return (size_t)type < UM_COUNT(names) ? names[type] : "?";
}

/* The host tries to read. The simulator's explanation is for `host-fault`: here it would bury the table. */
static bool host_reads(const void *p, struct um_fault *fault)
{
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC), terminal = dup(STDERR_FILENO);
    bool can;

    fflush(stderr);
    dup2(nowhere, STDERR_FILENO);
    can = um_probe_read(p, fault);
    dup2(terminal, STDERR_FILENO);
    close(terminal);
    close(nowhere);
    return can;
}

bool kernel_reads(const void *p)
{
    unsigned char *d_out = NULL, by_kernel = 0, by_copy = 1;
    bool same = false;

    UM_TRY(cudaMalloc((void **)&d_out, 1));
    UM_TRY(um_page_read(d_out, p, 1, 1, 0));
    UM_TRY(cudaDeviceSynchronize());
    UM_TRY(cudaMemcpy(&by_kernel, d_out, 1, cudaMemcpyDeviceToHost));
    UM_TRY(cudaMemcpy(
        &by_copy, p, 1,
        cudaMemcpyDefault)); /* unified addressing: the pointer itself tells which kind of memory it is */
    same = by_kernel == by_copy;
cleanup:
    cudaFree(d_out);
    return same;
}

static const char *as_text(const void *p, const void *itself)
{
    if (!p)
        return "NULL";
    return p == itself ? "itself" : "another";
}

void show_kernel(struct um_row *row, cudaError_t error)
{
    char text[32];

    snprintf(text, sizeof text, "error %d", (int)error);
    um_extra_text(row, "kernel_reads", "kernel", "reads", error == cudaSuccess ? "yes" : text);
}

bool show_pointer(struct um_row *row, const void *p, const struct rule *rule)
{
    const bool of_cuda = rule->type != cudaMemoryTypeUnregistered;
    struct cudaPointerAttributes of = {.device = -1};
    char address[UM_ADDRESS_TEXT];
    struct um_fault fault;
    bool right, can;

    if (!UM_CHECK(cudaPointerGetAttributes(&of, p)))
        return false;
    can = host_reads(p, &fault);
    um_extra_text(row, "address", "address", "", um_address_text(p, address));
    um_extra_text(row, "type", "type", "", type_name(of.type));
    um_extra_count(row, "device", "device", "", of.device);
    um_extra_text(row, "host_pointer", "host", "pointer", as_text(of.hostPointer, p));
    um_extra_text(row, "device_pointer", "device", "pointer", as_text(of.devicePointer, p));
    um_extra_text(row, "host_reads", "host", "reads", can ? "yes" : um_signal_name(&fault));
    if (rule->undefined && !um_is_sim())
        return true;
    right = of.type == rule->type && can == rule->host_reads && (can || fault.address == p);
    right = right && of.device == (of_cuda ? 0 : cudaInvalidDeviceId);
    right = right && (of.hostPointer == p) == (rule->type != cudaMemoryTypeDevice);
    if (um_device()->pageable_access && !of_cuda)
        return right; /* the device may follow this pointer, too */
    return right && of.devicePointer == (of_cuda ? p : NULL);
}

void good_pointer(struct um_row *row, const void *p, size_t bytes, const struct rule *rule)
{
    const bool right = show_pointer(row, p, rule), kernel_can = kernel_reads(p);

    row->size_bytes = bytes;
    um_extra_text(row, "kernel_reads", "kernel", "reads", kernel_can ? "yes" : "NO");
    um_row_verified(row, right && kernel_can);
}

void bad_pointer(struct um_row *row, const void *p, size_t bytes, enum trial_memory memory,
                 const struct rule *rule)
{
    const bool open = um_device()->pageable_access || rule->undefined;
    struct trial_result result;
    bool right;

    if (rule->host_reads && skip_sanitized(row))
        return;
    right = show_pointer(row, p, rule);
    result = trial_make(memory, row->size_bytes, true);
    row->size_bytes = bytes;
    show_kernel(row, result.synchronize);
    um_row_verified(row, right && result.ended && (open || result.synchronize == cudaErrorIllegalAddress));
}
