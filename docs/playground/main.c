/**
 * @file main.c
 * @brief The playground without a page: reads scenarios from standard input, one a line, and prints for each
 * a line of JSON, `[{step}, ...]`. A step that cannot be done is `{"error": "why"}`, and the last one.
 *
 * tests/playground compares it with a program on the simulator (which prints the same) and with the page.
 */
#include "play.h"
#include "profiles.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static char drawn(uint8_t page)
{
    switch (page & (PLAY_ON_HOST | PLAY_ON_GPU | PLAY_ON_GPU_1)) {
    case 0:
        return '.';
    case PLAY_ON_HOST:
        return 'H';
    case PLAY_ON_GPU:
        return play_devices() > 1 ? '0' : 'G';
    case PLAY_ON_GPU_1:
        return '1';
    default:
        return '=';
    }
}

/* As umsim_residency() draws a page, each run of equal pages with its length. */
static void print_pages(void)
{
    unsigned count;
    const uint8_t *page = play_pages(&count);
    for (unsigned first = 0, end; first < count; first = end) {
        for (end = first; end < count && drawn(page[end]) == drawn(page[first]); end++)
            ;
        printf("%s%c%u", first ? " " : "", drawn(page[first]), end - first);
    }
}

/* What was typed may stand in it. */
static void print_error(const char *why, bool is_first)
{
    printf("%s{\"error\": \"", is_first ? "" : ", ");
    for (; *why; why++)
        putchar(*why == '"' || *why == '\\' ? '\'' : *why);
    printf("\"}");
}

static void run(const char *text)
{
    static struct scenario scenario;
    static struct umsim_profile profile;
    char error[256];
    const char *why = NULL;
    unsigned done = 0;
    if (!scenario_read(text, &scenario, error, sizeof error))
        why = error;
    else if (!play_profile_find(scenario.profile, &profile))
        why = "there is no such profile here";
    else
        why = play_start(&scenario, &profile);
    printf("[");
    for (; !why && done < scenario.steps; done++) {
        if ((why = play_step()))
            break;
        printf("%s{", done ? ", " : "");
        for (enum play_count count = 0; count < PLAY_COUNTS; count++)
            printf("\"%s\": %" PRIu64 ", ", play_count_name(count), play_count(count, false));
        printf("\"pages\": \"");
        print_pages();
        printf("\"}");
    }
    if (why)
        print_error(why, done == 0);
    printf("]\n");
}

int main(void)
{
    static char line[8192];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        run(line);
    }
    return 0;
}
