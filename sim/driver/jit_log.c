/**
 * @file jit_log.c
 * @brief Implementation of jit_log.h.
 */
#include "jit_log.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct umsim_jit_logs umsim_jit_logs_of(unsigned count, const CUjit_option *options, void **values)
{
    struct umsim_jit_logs logs = {0};
    for (unsigned i = 0; i < count; i++)
        switch (options[i]) {
        case CU_JIT_ERROR_LOG_BUFFER:
            logs.error = values[i];
            break;
        case CU_JIT_INFO_LOG_BUFFER:
            logs.info = values[i];
            break;
        case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
            logs.error_size = &values[i];
            break;
        case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
            logs.info_size = &values[i];
            break;
        default:
            break;
        }
    return logs;
}

static void fill(char *buffer, void **size, const char *text)
{
    const size_t capacity = size ? (size_t)(uint32_t)(uintptr_t)*size : 0;
    if (buffer && capacity)
        snprintf(buffer, capacity, "%s", text);
    if (size)
        *size = (void *)(uintptr_t)(buffer && capacity ? strlen(buffer) : 0);
}

void umsim_jit_logs_fill(const struct umsim_jit_logs *logs, const char *error)
{
    fill(logs->error, logs->error_size, error);
    fill(logs->info, logs->info_size, "");
}
