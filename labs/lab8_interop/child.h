/**
 * @file child.h
 * @brief Lab 8: starts lab8.py, and reads the line of JSON that it answers with.
 */
#ifndef LAB8_CHILD_H
#define LAB8_CHILD_H

#include <cjson/cJSON.h>

#include "interop/um_buffer.h"
#include "um_lab.h"

extern char **environ;

/**
 * Starts lab8.py with two arguments or three, and parses its answer.
 * @param why the reason when there is no answer: at most 119 characters
 * @return what cJSON_Delete() takes; NULL when it could not run here
 */
cJSON *child_ask(const char *what, const char *name, const char *n, char *why, size_t capacity);

#endif
