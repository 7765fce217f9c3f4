/**
 * @file key.c
 * @brief Reads the course's key, and derives the keys of checks from it.
 */
#include "key.h"
#include "grade.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DIGITS = 32 };

/* The public key: everybody has it. */
static struct um_siphash_key course = {{UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908)}};
static bool is_public = true;

static int digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* @return NULL, or what is wrong with the text */
static const char *parse(const char *text, ssize_t length)
{
    struct um_siphash_key key = {{0, 0}};
    if (length < DIGITS || text[DIGITS - 1] == '\n')
        return "is too short to be a key (32 hexadecimal digits)";
    if (length > DIGITS && (text[DIGITS] != '\n' || length > DIGITS + 1))
        return "is too long to be a key (32 hexadecimal digits)";
    for (int i = 0; i < DIGITS; i++) {
        const int value = digit(text[i]);
        if (value < 0)
            return "is no key: something in it is no hexadecimal digit";
        key.word[i / 16] |= (uint64_t)value << (8 * (i / 2 % 8) + (i % 2 ? 0 : 4));
    }
    course = key;
    is_public = false;
    return NULL;
}

/* @return NULL, or what is wrong with the file */
static const char *read_key(int fd)
{
    char text[DIGITS + 2];
    struct stat what;
    if (fstat(fd, &what) != 0)
        return strerror(errno);
    if (!S_ISREG(what.st_mode))
        return "is no file";
    if (what.st_mode & 077)
        return "can be read by others than its owner (chmod 600), so it may be a secret no more";
    const ssize_t length = read(fd, text, sizeof text);
    return length < 0 ? strerror(errno) : parse(text, length);
}

const char *um_key_load(const char *wanted, const char *root)
{
    static char *said;
    const bool has_to_be_there = wanted && *wanted;
    char *path = has_to_be_there ? um_text("%s", wanted) : um_text("%s/.umlab/key", root);
    const char *wrong = NULL;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd >= 0) {
        wrong = read_key(fd);
        close(fd);
    } else if (has_to_be_there || (errno != ENOENT && errno != ENOTDIR)) {
        wrong = strerror(errno);
    }
    free(said);
    said = wrong ? um_text("the course's key: %s: %s", path, wrong) : NULL;
    free(path);
    return said;
}

bool um_key_is_public(void)
{
    return is_public;
}

/* The key for what `text` names, among what `key` is for. */
static struct um_siphash_key narrowed(struct um_siphash_key key, const char *text)
{
    struct um_siphash_key narrow;
    for (int i = 0; i < 2; i++) {
        char *part = um_text("%d%s", i + 1, text);
        narrow.word[i] = um_siphash(&key, part, strlen(part));
        free(part);
    }
    return narrow;
}

void um_key_of_check(struct um_siphash_key key[UM_DRAWS], const char *check)
{
    static const char *const what[UM_DRAWS] = {"input", "schedule", "kernels", "failure"};
    char seed[32];
    snprintf(seed, sizeof seed, "%" PRIu64, um_job.seed);
    const struct um_siphash_key own =
        narrowed(narrowed(narrowed(narrowed(course, seed), um_job.lab), check), um_job.student);
    for (int i = 0; i < UM_DRAWS; i++)
        key[i] = narrowed(own, what[i]);
}
