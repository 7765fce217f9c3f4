/**
 * @file options_file.c
 * @brief `--options-file FILE[,FILE...]`, `-optf`: the content of the files replaces the option in the
 * command line.
 *
 * As in nvcc, words are separated by white space, quotes hold a word together, a backslash takes the next
 * character literally, and a `#` at the start of a word begins a comment that ends with the line. Option
 * files cannot name further option files.
 */
#define _GNU_SOURCE
#include "driver.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads one word at `*at`, and removes its quotes in place. @return NULL at the end */
static char *next_word(char **at)
{
    char *from = *at, quote = '\0';
    while (isspace((unsigned char)*from) || *from == '#')
        from += *from == '#' ? strcspn(from, "\n") : 1;
    if (*from == '\0')
        return NULL;
    char *word = from, *to = from;
    for (; *from != '\0' && (quote != '\0' || !isspace((unsigned char)*from)); from++) {
        if (*from == '\\' && quote != '\'' && from[1] != '\0')
            *to++ = *++from;
        else if (quote == '\0' && (*from == '"' || *from == '\''))
            quote = *from;
        else if (*from == quote)
            quote = '\0';
        else
            *to++ = *from;
    }
    *at = *from == '\0' ? from : from + 1;
    *to = '\0';
    return word;
}

/* nvcc's: options for all its runs, which stand before and behind those of the command line. */
static void add_variable(struct umcc_list *list, const char *name)
{
    const char *value = getenv(name);
    char *at = value ? umcc_printf("%s", value) : NULL;
    for (char *word; at && (word = next_word(&at));)
        umcc_list_add(list, word);
}

/* Adds the file's words to the list. The text that they point into lives until the program ends. */
static const char *add_file(struct umcc_list *list, const char *path)
{
    char *text = NULL;
    size_t capacity = 0;
    FILE *file = fopen(path, "r");
    const ssize_t length = !file ? -1 : getdelim(&text, &capacity, '\0', file);
    const bool failed = !file || ferror(file) != 0;
    const int why = errno;
    if (file)
        fclose(file);
    if (failed) {
        free(text);
        return umcc_printf("cannot read the options file %s: %s", path, strerror(why));
    }
    for (char *at = text, *word; length > 0 && (word = next_word(&at));)
        umcc_list_add(list, word);
    return NULL;
}

/* Sets `*value` to what follows the option's name: the value, or NULL if it is the next word. @return false
 * if it is another option */
static bool is_options_file(const char *argument, const char **value)
{
    static const char *const names[] = {"--options-file", "-optf"};
    for (int i = 0; i < 2; i++) {
        const size_t length = strlen(names[i]);
        if (strncmp(argument, names[i], length) != 0 || (argument[length] != '\0' && argument[length] != '='))
            continue;
        *value = argument[length] == '=' ? argument + length + 1 : NULL;
        return true;
    }
    return false;
}

const char *umcc_expand_options_files(struct umcc_list *list, int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        const char *value, *error = NULL;
        if (i == 1)
            add_variable(list, "NVCC_PREPEND_FLAGS");
        if (!is_options_file(argv[i], &value)) {
            umcc_list_add(list, argv[i]);
            continue;
        }
        if (!value && i + 1 == argc)
            return umcc_printf("option '%s' needs a value", argv[i]);
        char *rest = umcc_printf("%s", value ? value : argv[++i]);
        for (char *path; !error && (path = strsep(&rest, ","));)
            error = add_file(list, path);
        if (error)
            return error;
    }
    add_variable(list, "NVCC_APPEND_FLAGS");
    return NULL;
}
