/**
 * @file foreign_call.c
 * @brief The variable of foreign_call.h.
 */
#include "foreign_call.h"

__thread const struct umsim_foreign_call *umsim_foreign_call __attribute__((tls_model("initial-exec")));
