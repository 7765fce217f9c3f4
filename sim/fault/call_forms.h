/**
 * @file call_forms.h
 * @brief The words in which a table says what a call does with its arguments: struct umsim_argument of
 * call.h.
 *
 * To use: `{WRITES(1, UPTO(2))}` is an array of arguments with one line: the call writes at argument 1, at
 * most as many bytes as argument 2 says, and returns how many.
 */
#ifndef UMSIM_CALL_FORMS_H
#define UMSIM_CALL_FORMS_H

#include "call.h"

#define READS(i, ...)                                                                                        \
    {                                                                                                        \
        .at = (i), .access = UMSIM_READ, __VA_ARGS__                                                         \
    }
#define WRITES(i, ...)                                                                                       \
    {                                                                                                        \
        .at = (i), .access = UMSIM_WRITTEN, __VA_ARGS__                                                      \
    }
#define BOTH(i, ...)                                                                                         \
    {                                                                                                        \
        .at = (i), .access = UMSIM_READ | UMSIM_WRITTEN, __VA_ARGS__                                         \
    }
#define LEFT(i, ...)                                                                                         \
    {                                                                                                        \
        .at = (i), .access = UMSIM_READ | UMSIM_WRITTEN, .always = true, __VA_ARGS__                         \
    }
#define BYTES(n) .form = UMSIM_FIXED, .unit = (n)
#define TIMES(argument, n) .form = UMSIM_TIMES, .count = (argument), .unit = (n)
#define COUNT(argument) TIMES(argument, 1)
#define COUNT32(argument) .form = UMSIM_TIMES_32, .count = (argument), .unit = 1
#define MORE(argument, n) .form = UMSIM_TIMES, .count = (argument), .unit = 1, .extra = (n)
/* at most so many; the call returns how many */
#define UPTO_OF(argument, n) TIMES(argument, n), .as_result = true
#define UPTO(argument) UPTO_OF(argument, 1)
#define UPTO32(argument, n) .form = UMSIM_TIMES_32, .count = (argument), .unit = (n), .as_result = true
#define PRODUCT(argument) .form = UMSIM_PRODUCT, .count = (argument), .as_result = true
#define PAGES_OF(argument) .form = UMSIM_EACH_PAGE, .count = (argument)
#define BITS(argument) .form = UMSIM_BITS, .count = (argument)
#define AT(argument) .form = UMSIM_AT, .count = (argument)
#define TEXT_FORM .form = UMSIM_TEXT
#define TEXT(i) READS(i, TEXT_FORM)
#define TEXTS .form = UMSIM_TEXTS
#define VECTOR(argument) .form = UMSIM_VECTOR, .count = (argument)
#define THEIRS(argument) .form = UMSIM_THEIRS, .count = (argument)
#define MESSAGE .form = UMSIM_MESSAGE
#define MESSAGES(argument) .form = UMSIM_MESSAGES, .count = (argument)
#define PAGES .form = UMSIM_OPEN

#endif
