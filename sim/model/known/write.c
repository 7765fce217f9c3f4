/**
 * @file write.c
 * @brief A tool of the build: `write PROFILE.json` prints the source of umsim_known_profile
 * (profile_known.h).
 */
#include "sim/model/profile_known.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_bytes(const char *name, const void *bytes, size_t count)
{
    printf("static const unsigned char %s[] = {", name);
    for (size_t i = 0; i < count; i++)
        printf("%s%u,", i % 24 ? "" : "\n    ", ((const unsigned char *)bytes)[i]);
    printf("\n};\n");
}

/** Reads the whole file; text that a profile cannot have was refused before. */
static char *read_text(const char *path, size_t *length)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    ssize_t got = file ? getdelim(&text, &size, '\0', file) : -1;
    if (got < 0 || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
    *length = (size_t)got;
    return text;
}

int main(int count, char **arguments)
{
    static struct umsim_profile profile;
    char error[512];
    size_t length;
    if (count != 2) {
        fprintf(stderr, "usage: write PROFILE.json\n");
        return 2;
    }
    if (umsim_profile_load(arguments[1], NULL, 0, &profile, error, sizeof error)) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    char *text = read_text(arguments[1], &length);
    if (strstr(text, "\"base\"")) {
        fprintf(stderr, "%s: has a base: what it says is not all in its text\n", arguments[1]);
        return 1;
    }
    printf("/* Made by %s of %s. */\n#include \"sim/model/profile_known.h\"\n", __FILE__, arguments[1]);
    write_bytes("text", text, length);
    write_bytes("figures", &profile, sizeof profile);
    printf("const struct umsim_known_profile umsim_known_profile = {text, sizeof text, figures, sizeof "
           "figures};\n");
    free(text);
    return fflush(stdout) || ferror(stdout);
}
