/**
 * @file profiles.c
 * @brief A tool of the build: `profiles FOLDER NAME...` prints the profiles as the source of play_profiles[],
 * because a browser reads no files, and has no parser of profiles.
 */
#include "profiles.h"

#include <stdio.h>

static void write_profile(const struct umsim_profile *profile, int number)
{
    const unsigned char *bytes = (const unsigned char *)profile;
    printf("static const unsigned char figures_%d[] = {", number);
    for (size_t i = 0; i < sizeof *profile; i++)
        printf("%s%u,", i % 24 ? "" : "\n    ", bytes[i]);
    printf("\n};\n");
}

int main(int count, char **arguments)
{
    static struct umsim_profile profile;
    char error[512];
    if (count < 3) {
        fprintf(stderr, "usage: profiles FOLDER NAME...\n");
        return 2;
    }
    const char *const folders[] = {arguments[1]};
    printf("/* Made by %s. */\n#include \"profiles.h\"\n", __FILE__);
    printf(
        "_Static_assert(sizeof(struct umsim_profile) == %zu && offsetof(struct umsim_profile, costs) == %zu "
        "&& offsetof(struct umsim_profile, capacity) == %zu, \"laid out as where it was written\");\n",
        sizeof profile, offsetof(struct umsim_profile, costs), offsetof(struct umsim_profile, capacity));
    for (int i = 2; i < count; i++) {
        if (umsim_profile_load(arguments[i], folders, 1, &profile, error, sizeof error)) {
            fprintf(stderr, "%s\n", error);
            return 1;
        }
        write_profile(&profile, i);
    }
    printf("const struct play_profile play_profiles[] = {\n");
    for (int i = 2; i < count; i++)
        printf("    {\"%s\", figures_%d},\n", arguments[i], i);
    printf("    {0}};\n");
    return fflush(stdout) || ferror(stdout);
}
