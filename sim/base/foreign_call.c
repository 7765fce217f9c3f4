/**
 * @file foreign_call.c
 * @brief The variables of foreign_call.h.
 */
#include "foreign_call.h"

__thread const void *umsim_python_call __attribute__((tls_model("initial-exec")));
__thread const struct umsim_foreign_call *umsim_foreign_call __attribute__((tls_model("initial-exec")));
__thread const void *umsim_call_owner __attribute__((tls_model("initial-exec")));
