/**
 * @file exports.c
 * @brief What playground.js calls of the WebAssembly module: the functions of play.h, for a caller that has
 * numbers and the module's memory.
 */
#include "play.h"
#include "profiles.h"

#include <string.h>

#define TEXT 8192

#define EXPORT(name) __attribute__((export_name(#name)))

static char text[TEXT], message[256];
static struct scenario scenario;

/** Where the page puts the scenario's text, and a 0 behind it. */
EXPORT(text) char *page_text(void)
{
    return text;
}

EXPORT(text_bytes) int page_text_bytes(void)
{
    return TEXT;
}

/** Reads the text and starts. @return "", or what is wrong */
EXPORT(start) const char *page_start(void)
{
    static struct umsim_profile profile;
    if (!scenario_read(text, &scenario, message, sizeof message))
        return message;
    if (!play_profile_find(scenario.profile, &profile))
        return "there is no such profile here";
    const char *why = play_start(&scenario, &profile);
    return why ? why : "";
}

/** Does the next step. @return "", or why the program would end here */
EXPORT(step) const char *page_step(void)
{
    const char *why = play_step();
    return why ? why : "";
}

EXPORT(steps) int page_steps(void)
{
    return (int)scenario.steps;
}

EXPORT(devices) int page_devices(void)
{
    return (int)play_devices();
}

EXPORT(array_bytes) double page_array_bytes(void)
{
    return (double)scenario.array;
}

EXPORT(count) double page_count(int count, int all)
{
    return (double)play_count((enum play_count)count, all != 0);
}

/** @return "" behind the last one */
EXPORT(count_name) const char *page_count_name(int count)
{
    return count < PLAY_COUNTS ? play_count_name((enum play_count)count) : "";
}

EXPORT(events) const struct play_event *page_events(void)
{
    unsigned count;
    uint64_t left_out;
    return play_events(&count, &left_out);
}

EXPORT(event_count) int page_event_count(void)
{
    unsigned count;
    uint64_t left_out;
    play_events(&count, &left_out);
    return (int)count;
}

EXPORT(events_left_out) double page_events_left_out(void)
{
    unsigned count;
    uint64_t left_out;
    play_events(&count, &left_out);
    return (double)left_out;
}

EXPORT(pages) const uint8_t *page_pages(void)
{
    unsigned count;
    return play_pages(&count);
}

EXPORT(page_count) int page_page_count(void)
{
    unsigned count;
    play_pages(&count);
    return (int)count;
}

/** @return "" behind the last one */
EXPORT(profile_name) const char *page_profile_name(int number)
{
    return play_profiles[number].name ? play_profiles[number].name : "";
}
