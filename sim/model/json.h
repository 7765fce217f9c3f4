/**
 * @file json.h
 * @brief Reads JSON into a tree. For profiles: they are parsed at every start of the simulator, so it is quick (one
 * allocation, strings where they stand) and strict (RFC 8259, nothing more).
 *
 *     const char *end;
 *     struct umsim_json *root = umsim_json_parse(text, length, &end);
 *     for (const struct umsim_json *member = root->child; member; member = member->next) ... member->key ...
 *     free(root);
 */
#ifndef UMSIM_JSON_H
#define UMSIM_JSON_H

#include <stddef.h>

enum umsim_json_type {
    UMSIM_JSON_NULL,
    UMSIM_JSON_FALSE,
    UMSIM_JSON_TRUE,
    UMSIM_JSON_NUMBER,
    UMSIM_JSON_STRING,
    UMSIM_JSON_ARRAY,
    UMSIM_JSON_OBJECT,
};

/** A value. Strings are UTF-8 without NUL; they live as long as the tree. */
struct umsim_json {
    enum umsim_json_type type;
    double number;            /**< of a number: the nearest double; infinite when it is out of range */
    const char *key;          /**< in an object; else NULL */
    const char *text;         /**< of a string; else NULL */
    struct umsim_json *child; /**< first element or member */
    struct umsim_json *next;  /**< the next one in the same array or object */
};

/**
 * Parses the one value that `text` holds.
 * @param[out] end where the value ends in `text`; without one, where it stops being JSON
 * @return the tree, which the caller frees by free() of the root; NULL for what is not JSON, or without memory
 */
struct umsim_json *umsim_json_parse(const char *text, size_t length, const char **end);

/** The first member of that key; NULL when there is none or `object` is no object. */
const struct umsim_json *umsim_json_member(const struct umsim_json *object, const char *key);

/** Elements of an array, members of an object; 0 for anything else. */
size_t umsim_json_count(const struct umsim_json *value);

#endif
